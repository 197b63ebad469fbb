import { core, session } from "gg";

session.finish("first");
session.finish("second");
try {
  session.approve();
} catch (error) {
  console.log(error instanceof core.ApiError ? error.code : "another error");
}
session.finish("third");
console.log("statements after an ending run");
