// expect: error program_throw undefined
throw undefined;
