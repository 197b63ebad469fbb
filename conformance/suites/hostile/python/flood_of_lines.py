# expect: progressed none
for i in range(3_000): print('line', i)
print('x' * 5_000_000)
