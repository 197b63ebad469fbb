# expect: progressed none
import os
class D:
    def __del__(self): os._exit(4)
d = D()
