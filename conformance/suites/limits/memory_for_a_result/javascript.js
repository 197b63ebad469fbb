// Little is left, and the result of a call does not fit into it.
import { skills } from "gg";

const kept = [];
try {
  for (;;) kept.push(new ArrayBuffer(64 * 1024));
} catch (error) {
  kept.pop();
}
console.log("full");
const skill = skills.readSkill("eight...");
console.log(typeof skill);
