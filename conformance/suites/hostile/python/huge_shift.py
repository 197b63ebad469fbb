# expect: error program_throw
x = 1 << (1 << 40)
