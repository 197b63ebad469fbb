// expect: progressed none
Math.random = () => 4;
Date.now = () => 0;
globalThis.Date = class {};
globalThis.console = { log() {} };
Promise.prototype.then = () => {};
Object.defineProperty(Symbol.prototype, "description", { value: "planted" });
