// (a) An uncaught failed call: the file is not there, and nothing catches the failure.

import { files } from "gg";

console.log(
  "reading",
  "the notes",
);
const notes = files.readFile(
  "missing.md",
);
console.log(notes);
