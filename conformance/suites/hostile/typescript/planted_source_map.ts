// expect: error program_throw program.ts:2:7
throw new Error("x"); //# sourceMappingURL=/etc/passwd
//# sourceMappingURL=data:application/json;base64,AAAA
