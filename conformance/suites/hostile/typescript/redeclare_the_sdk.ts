// expect: error transpile_compile
declare module "gg" {
  export const planted: number;
}
import { planted, files } from "gg";
const x: string = files.readFile(1);
console.log(planted, x);
