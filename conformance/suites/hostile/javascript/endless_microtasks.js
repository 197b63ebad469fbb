// expect: error sandbox_out_of_memory
const kept = [];
for (let i = 0; i < 14; i++) kept.push(new ArrayBuffer(4 * 1024 * 1024));
const again = () => Promise.resolve().then(again);
again();
