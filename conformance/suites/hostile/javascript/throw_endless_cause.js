// expect: error program_throw round
const error = new Error("round");
error.cause = error;
error.errors = [error];
throw error;
