import time

before = time.time()
clock = time.monotonic()
time.sleep(3600)
print(3600 <= time.time() - before < 3601, 3600 <= time.monotonic() - clock < 3601)
