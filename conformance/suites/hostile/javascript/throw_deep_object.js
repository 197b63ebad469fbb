// expect: error program_throw
let deep = {};
for (let i = 0; i < 100000; i++) deep = { deep, cause: deep };
const error = new Error("deep");
error.cause = deep;
throw error;
