// expect: error sandbox_out_of_memory
import { docs } from "gg";
const endless = [];
endless.length = 2 ** 32 - 1;
Object.setPrototypeOf(endless, new Proxy(Array.prototype, { get: (_, key) => "a".repeat(1000) + String(key) }));
docs.search({ modules: endless });
