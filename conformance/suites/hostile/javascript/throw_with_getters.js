// expect: error program_throw
class Odd extends Error {
  get message() { throw new Odd(); }
  get name() { for (;;) {} }
  get stack() { return this.stack; }
  toString() { throw 1; }
  [Symbol.toPrimitive]() { throw 2; }
}
throw new Odd("x");
