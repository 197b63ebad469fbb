# expect: error program_throw
import sys
sys.addaudithook(lambda *a: (_ for _ in ()).throw(ValueError('hook')))
import gg
compile('1', 'x', 'exec')
