// expect: progressed none
const names = ["process", "require", "module", "WebAssembly", "fetch", "setTimeout", "setInterval", "Worker", "std", "os", "scriptArgs", "print", "load", "gc", "gg", "performance", "navigator"];
console.log(names.filter((name) => name in globalThis).join(" ") || "nothing");
