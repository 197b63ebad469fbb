// expect: error program_unknown_name process
declare const process: { exit(code: number): never };
process.exit(0);
