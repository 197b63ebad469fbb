# expect: error program_throw
import gc
found = [o for o in gc.get_objects() if getattr(o, '__name__', '') == 'call_import']
found += [g for o in gc.get_objects() if callable(o) and (g := getattr(o, '__globals__', {}).get('_send'))]
for f in found:
    f(0, [1, 2, 3])
raise ValueError(len(found))
