# expect: error program_throw own
import sys
sys.modules.clear()
raise ValueError('own')
