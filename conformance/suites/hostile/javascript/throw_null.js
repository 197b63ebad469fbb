// expect: error program_throw null
throw null;
