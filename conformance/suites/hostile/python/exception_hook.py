# expect: error program_throw own
import sys
sys.excepthook = lambda *a: print('hook')
raise ValueError('own')
