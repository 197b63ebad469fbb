kept = []
while True:
    kept.append(list(range(1000)))
