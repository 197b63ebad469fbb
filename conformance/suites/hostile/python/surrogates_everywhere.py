# expect: error program_throw
import sys
print('\ud800')
sys.stderr.write('\udfff')
raise ValueError('\udc80')
