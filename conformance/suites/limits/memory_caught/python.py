try:
    bytearray(1024 * 1024 * 1024)
except MemoryError:
    print("caught")
print("went on")
