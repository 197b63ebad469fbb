// expect: error program_throw 42
throw 42;
