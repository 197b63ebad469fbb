# expect: error sandbox_timeout
while True: pass
