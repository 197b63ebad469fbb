# expect: error program_throw
class M(type):
    def __instancecheck__(c, o): return True
    __name__ = property(lambda c: 1/0)
class E(Exception, metaclass=M):
    def __str__(self): raise SystemExit
    __class__ = property(lambda s: 1/0)
    __cause__ = property(lambda s: 1/0)
raise E
