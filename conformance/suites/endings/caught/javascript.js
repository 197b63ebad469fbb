import { core, files, session } from "gg";

session.finish("all is done");
try {
  files.readFile("missing.md");
} catch (error) {
  console.log(error instanceof core.ApiError ? error.code : "another error");
}
try {
  throw new RangeError("of the program itself");
} catch (error) {
  console.log(error instanceof RangeError);
}
