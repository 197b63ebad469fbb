// expect: error program_throw
import { views } from "gg";
function* nest(depth) {
  views.openText("label", "depth " + depth);
  yield* nest(depth + 1);
}
for (const _ of nest(0)) {}
