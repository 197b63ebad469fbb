// expect: error transpile_compile
type Grow<T extends unknown[]> = T["length"] extends 100000 ? T : Grow<[...T, ...T, 0]>;
const value: Grow<[0]> = [];
console.log(value);
