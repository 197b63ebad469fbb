// expect: progressed none
import { core, files } from "gg";
for (const name of ["offset", "limit", "kind", "value", "code", "operation", "message", "path", "then", "get", "set"])
  Object.prototype[name] = { toString() { throw 1; } };
try {
  files.readFile("a");
} catch (error) {
  console.log(error instanceof core.ApiError, error.code);
}
