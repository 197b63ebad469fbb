// expect: error program_throw the end
for (const object of [globalThis, Object.prototype, Function.prototype, Array.prototype, Error.prototype, Promise.prototype, String.prototype, Reflect, JSON])
  Object.freeze(object);
throw new Error("the end");
