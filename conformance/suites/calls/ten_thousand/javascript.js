import { views } from "gg";

for (let i = 0; i < 10000; i++) views.openText("label", "body " + i);
console.log("done");
