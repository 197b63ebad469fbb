n = 0
while True:
    try:
        while True:
            n += 1
    except BaseException:
        pass
