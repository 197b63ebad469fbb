// expect: error program_throw read-only
import { files } from "gg";
files.readFile = () => "planted";
