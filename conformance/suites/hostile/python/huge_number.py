# expect: error sandbox_timeout
x = 10 ** (10 ** 8)
print(len(str(x)))
