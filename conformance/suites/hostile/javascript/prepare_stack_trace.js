// expect: error program_throw the end
Error.prepareStackTrace = () => { throw 1; };
Error.stackTraceLimit = 1e9;
Object.defineProperty(Error.prototype, "stack", { get() { throw 2; } });
throw new Error("the end");
