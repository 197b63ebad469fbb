// expect: progressed none
for (let i = 0; i < 50000; i++) console.log("line " + i + " \ud800 \0");
console.log("x".repeat(5000000));
console.log(new Proxy({}, { get() { throw 1; } }), { get a() { throw 2; } }, [[[[[[[[1]]]]]]]], console, globalThis);
