// expect: error transpile_compile
type Digit = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";
type Many = `${Digit}${Digit}${Digit}${Digit}${Digit}${Digit}${Digit}`;
const value: Many = "x";
console.log(value);
