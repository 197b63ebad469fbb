// expect: error program_throw promise
await new Promise(() => {});
