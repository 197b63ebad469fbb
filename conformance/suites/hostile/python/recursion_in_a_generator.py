# expect: error program_throw
def g():
    yield from g()
list(g())
