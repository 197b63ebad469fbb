// expect: progressed none
import { core, docs } from "gg";
const sparse = [];
sparse[4294967294] = 1;
console.log(sparse);
try {
  docs.search({ modules: sparse });
} catch (error) {
  console.log(error instanceof core.ApiError, error.code);
}
