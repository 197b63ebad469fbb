// expect: progressed none
import { core, files, views } from "gg";
try {
  files.readFile("a", { get offset() { views.openText("inner", "body"); return 1; }, get limit() { throw new RangeError("mine"); } });
} catch (error) {
  console.log(error instanceof RangeError, error.message);
}
