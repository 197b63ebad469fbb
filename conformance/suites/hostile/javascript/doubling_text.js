// expect: error sandbox_out_of_memory
const texts = [];
let text = "\u6f22";
for (;;) texts.push((text = text.length < 1000000 ? text + text : text + "x").toUpperCase());
