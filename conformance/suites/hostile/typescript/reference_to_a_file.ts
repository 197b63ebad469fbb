// expect: error transpile_compile program.ts
/// <reference path="/etc/passwd" />
/// <reference types="node" />
/// <reference lib="dom" />
console.log(document.title);
