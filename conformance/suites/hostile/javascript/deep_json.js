// expect: progressed none
try {
  JSON.parse("[".repeat(1000000));
} catch (error) {
  console.log(error instanceof Error);
}
let deep = [];
for (let i = 0; i < 5000; i++) deep = [deep];
try {
  JSON.stringify(deep);
} catch (error) {
  console.log(error instanceof Error);
}
