# expect: error sandbox_timeout
def f():
    try: f()
    finally: f()
f()
