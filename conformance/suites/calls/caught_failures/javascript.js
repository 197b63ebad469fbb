import { core, files } from "gg";

let caught = 0;
for (let i = 0; i < 100000; i++) {
  try {
    files.readTextFile("notes.md");
  } catch (error) {
    if (error instanceof core.ApiError && error.code === "unavailable" && error.operation === "read_text_file") caught += 1;
  }
}
console.log(caught);
