# expect: error program_throw own
import traceback, linecache
for m in (traceback, linecache):
    for n in list(vars(m)):
        if not n.startswith('__'): setattr(m, n, None)
raise ValueError('own words')
