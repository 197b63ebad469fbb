// expect: progressed none
import { core, docs } from "gg";
const modules = ["a", "b", "c", "d"];
Object.defineProperty(modules, 1, { get() { modules.length = 0; return "b"; } });
try {
  docs.search({ modules });
} catch (error) {
  console.log(error instanceof core.ApiError, error.code);
}
