kept = bytearray(1024 * 1024 * 1024)
print(len(kept))
