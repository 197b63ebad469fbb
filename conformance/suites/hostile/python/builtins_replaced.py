# expect: error program_throw own
import builtins
for n in list(vars(builtins)):
    if n not in ('__build_class__', '__import__', 'ValueError', 'setattr', 'print') and not n.startswith('__'):
        setattr(builtins, n, print)
raise ValueError('own')
