// expect: error program_throw later
Promise.reject(new Error("later"));
console.log("the end");
