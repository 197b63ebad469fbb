// expect: error program_throw the end
const { deleteProperty, ownKeys } = Reflect;
const E = Error;
const objects = [E.prototype, Object.prototype, Function.prototype, Array.prototype, String.prototype, Reflect, JSON, globalThis];
for (let i = 0; i < objects.length; i++) {
  const names = ownKeys(objects[i]);
  for (let j = 0; j < names.length; j++) deleteProperty(objects[i], names[j]);
}
throw new E("the end");
