# expect: error program_throw
a = []
for n in range(100_000): a = [a]
repr(a)
