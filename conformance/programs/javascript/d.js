// (d) A resource fault: recursion without an end.

console.log(
  "going",
  "down",
);
function deeper(n) {
  return deeper(n + 1);
}
console.log(deeper(0));
