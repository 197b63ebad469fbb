// expect: error sandbox_out_of_memory
const kept = new ArrayBuffer(58 * 1024 * 1024);
const again = () => Promise.resolve().then(again);
again();
