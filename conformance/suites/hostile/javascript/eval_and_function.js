// expect: progressed none
eval("globalThis.left = 1");
new Function("Object.prototype.left = 2")();
(() => {}).constructor.constructor("return this")().left = 3;
console.log(left, ({}).left);
