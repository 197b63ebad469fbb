// expect: progressed none
import { core, files } from "gg";
const options = { __proto__: { offset: 1 }, limit: 1 };
for (const path of [{ __proto__: String.prototype }, Object.create(null), new String("a"), ["a"], Symbol("a"), () => "a"]) {
  try {
    files.readFile(path, options);
    console.log("was accepted");
  } catch (error) {
    if (!(error instanceof core.ApiError) || error.code !== "invalid-argument") console.log(error);
  }
}
