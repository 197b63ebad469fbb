// expect: error program_throw xxx
throw new Error("x".repeat(5000000));
