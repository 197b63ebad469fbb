// expect: error program_throw Symbol(odd)
throw Symbol("odd");
