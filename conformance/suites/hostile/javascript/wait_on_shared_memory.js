// expect: progressed none
try {
  console.log(Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1e12));
} catch (error) {
  console.log(error.name);
}
