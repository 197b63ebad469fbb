# expect: progressed none
class D:
    def __del__(self): raise SystemExit(9)
d = D()
del d
print('on')
