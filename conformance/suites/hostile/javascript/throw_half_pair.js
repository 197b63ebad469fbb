// expect: error program_throw half
throw new Error("half \ud800 of a pair \0");
