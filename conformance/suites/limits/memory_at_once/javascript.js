const kept = new ArrayBuffer(1024 * 1024 * 1024);
console.log(kept.byteLength);
