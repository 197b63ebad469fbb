// expect: error program_unknown_name not available
import { core, files } from "gg";
const failed = [];
for (const attempt of [
  () => { core.ApiError.prototype.code = "other"; },
  () => { core.ApiError.prototype.__proto__ = null; },
  () => { Object.setPrototypeOf(core.ApiError.prototype, null); },
  () => { core.ApiError = Error; },
  () => { core.ApiError[Symbol.hasInstance] = () => false; },
]) {
  try { attempt(); } catch (error) { failed.push(error.name); }
}
Error.prototype.name = "Planted";
Object.defineProperty(Object.prototype, "code", { get() { throw 2; }, set() { throw 3; } });
files.readFile("a");
