// expect: error program_unknown_name no module
import fs from "fs";
console.log(fs);
