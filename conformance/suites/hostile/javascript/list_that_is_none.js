// expect: error program_api_error must be an array
import { docs } from "gg";
const endless = new Proxy([], { get: (_, key) => (key === "length" ? 2 ** 53 - 1 : "a") });
docs.search({ modules: endless });
