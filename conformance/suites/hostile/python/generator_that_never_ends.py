# expect: error program_throw
def g():
    while True:
        try: yield
        except GeneratorExit: pass
x = g(); next(x)
x.close()
