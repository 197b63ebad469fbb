// expect: error program_throw number 0
for (let i = 0; i < 1000; i++) Promise.reject(new Error("number " + i));
