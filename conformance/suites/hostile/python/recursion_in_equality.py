# expect: error sandbox_out_of_memory
a = b = []
for n in range(1000_000): a, b = [a], [b]
a == b
