# expect: error program_throw own
import sys
f = sys._getframe()
while f.f_back: f = f.f_back
f.f_globals.clear()
raise ValueError('own')
