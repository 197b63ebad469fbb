// @ts-nocheck  read by TypeScript too
// The world as a program finds it: printed before and after a hostile one, and the same.
import * as gg from "gg";

console.log(Object.getOwnPropertyNames(globalThis).sort().join(" "));
const seen = new Set();
let count = 0;
let words = "";
const walk = (object = globalThis, path = "") => {
  if ((typeof object !== "object" && typeof object !== "function") || object === null || seen.has(object)) return;
  seen.add(object);
  for (const key of Reflect.ownKeys(object)) {
    const found = Object.getOwnPropertyDescriptor(object, key);
    if (found === undefined) continue;
    count += 1;
    if (typeof found.value === "string" || typeof found.value === "number") words += path + String(key) + found.value;
    walk(found.value, path + String(key));
    walk(found.get, path + String(key));
    walk(found.set, path + String(key));
  }
  walk(Object.getPrototypeOf(object), path);
};
walk();
walk(gg);
let sum = 0;
for (let i = 0; i < words.length; i++) sum = (sum * 31 + words.charCodeAt(i)) % 1000000007;
console.log(count, words.length, sum);
console.log(Math.random(), Date.now());
gg.views.openText("label", "body");
