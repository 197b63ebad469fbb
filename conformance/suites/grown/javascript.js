import { core, files } from "gg";

console.log(files.countLines("three.txt"));
try {
  files.countLines("missing.txt");
} catch (error) {
  console.log(error instanceof core.ApiError ? error.operation + " " + error.code : String(error));
}
