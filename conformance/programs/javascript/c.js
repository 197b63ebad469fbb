// (c) A failure value: a rejected promise that nothing observes.

console.log(
  "three steps",
  "to go",
);
async function takeSteps() {
  throw new Error("the third step did not finish");
}
takeSteps();
console.log("all asked for");
