# expect: error sandbox_timeout
kept = []
while True:
    try:
        while True: kept.append(bytearray(1 << 16))
    except MemoryError:
        pass
