# expect: error sandbox_trap
import os
try:
    raise ValueError
finally:
    os._exit(4)
