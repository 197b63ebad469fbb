import { session } from "gg";

session.finish("all is done");
throw new Error("it was not");
