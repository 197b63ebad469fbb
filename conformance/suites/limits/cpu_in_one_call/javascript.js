// One call of the engine that never comes back to the program by itself.
console.log(/^(a+)+$/.test("a".repeat(60) + "b"));
