// expect: error sandbox_timeout
const numbers = Array.from({ length: 100000 }, (_, i) => i);
for (;;) numbers.sort(() => 0.5 - Math.random());
