// expect: error program_throw not extensible
import * as gg from "gg";
Object.defineProperty(gg.files, "planted", { value: 1 });
