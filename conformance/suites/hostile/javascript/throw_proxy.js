// expect: error program_throw Proxy
const no = () => { throw new Error("trap"); };
throw new Proxy(function () {}, { get: no, has: no, getPrototypeOf: no, ownKeys: no, getOwnPropertyDescriptor: no, apply: no });
