# expect: error sandbox_trap
a = []
for n in range(1_000_000): a = [a]
del a
print('done')
