# expect: progressed none
print('\0' * (1 << 20))
