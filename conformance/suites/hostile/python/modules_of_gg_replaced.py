# expect: error program_unknown_name
import sys, types
fake = types.ModuleType('gg.core')
import gg
sys.modules['gg.core'] = fake
gg.core = fake
gg.files.read_file('a')
