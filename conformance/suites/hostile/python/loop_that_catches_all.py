# expect: error sandbox_timeout
while True:
    try:
        while True: pass
    except BaseException: pass
