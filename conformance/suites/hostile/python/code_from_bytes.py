# expect: error sandbox_trap
import types
c = (lambda: 0).__code__.replace(co_code=bytes(range(256)) * 10)
exec(c)
