# expect: progressed none
import gg
gg.files.read_file = lambda *a, **k: 'planted'
gg.planted = 1
print(gg.files.read_file('x'))
