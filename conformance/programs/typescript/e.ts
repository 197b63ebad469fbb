// (e) An explicit exit, in the way a program would leave a process.

console.log(
  "before",
  "leaving",
);
process.exit(3);
console.log("after leaving");
