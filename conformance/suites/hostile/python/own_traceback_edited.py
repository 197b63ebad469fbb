# expect: error program_throw
e = ValueError('x')
try: raise e
except ValueError: pass
e.__context__ = e
raise e
