// (b) An uncaught native fault: a value past the end of an array is used.

const values: number[] = [1, 2, 3];
console.log(
  "the eighth value:",
  values[7].toString(),
);
