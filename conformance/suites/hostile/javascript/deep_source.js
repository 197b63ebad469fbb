// expect: error program_throw
eval("(".repeat(200000) + ")".repeat(200000));
