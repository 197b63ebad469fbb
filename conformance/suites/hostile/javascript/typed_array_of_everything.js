// expect: error sandbox_out_of_memory
new Uint8Array(2 ** 31 - 1);
