# expect: progressed none
import os, sys
assert not dict(os.environ), dict(os.environ)
print(sys.argv)
