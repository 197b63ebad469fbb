try {
  new ArrayBuffer(1024 * 1024 * 1024);
} catch (error) {
  console.log("caught");
}
console.log("went on");
