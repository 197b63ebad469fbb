# The world as a program finds it: printed before and after a hostile one, and the same.
import builtins
import os
import random
import sys
import time
import zlib

import gg

print(" ".join(sorted(vars(builtins))), len(sys.modules), sys.getrecursionlimit(), sys.gettrace(), dict(os.environ))


def names(module):
    for name, value in sorted(vars(module).items()):
        kind = type(value)
        yield f"{name}:{kind.__name__}:{getattr(value, '__module__', '')}:{getattr(value, '__qualname__', '')}"
        if isinstance(value, type):
            yield from (f"{name}.{inner}" for inner in sorted(vars(value)))


seen = []
for name in sorted(sys.modules):
    if name != "__main__":
        seen += [name, *names(sys.modules[name])]
text = "\n".join(seen)
print(len(seen), len(text), zlib.crc32(text.encode()))
print(random.random(), time.time_ns(), isinstance(1, int), type("x") is str)
gg.views.open_text("label", "body")
