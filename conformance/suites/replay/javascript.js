const drawn = [];
for (let i = 0; i < 5; i++) drawn.push(Math.random());
console.log(drawn.join(" "));
console.log(new Date().toISOString(), Date.now());
const table = new Map();
for (let i = 0; i < 20; i++) table.set(Symbol(String(i)), i);
console.log([...table.values()].join(" "));
