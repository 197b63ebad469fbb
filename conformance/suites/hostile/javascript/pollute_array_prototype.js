// expect: progressed none
import { core, docs } from "gg";
Array.prototype[0] = "planted";
Array.prototype.push = Array.prototype.map = Array.prototype.join = () => { throw 1; };
Array.prototype[Symbol.iterator] = function* () { for (;;) yield 1; };
console.log([1, 2]);
docs.search({ modules: [] });
