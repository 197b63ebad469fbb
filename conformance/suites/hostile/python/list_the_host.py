# expect: error program_throw
import os, pathlib
print(os.listdir('/'))
print(list(pathlib.Path('/').iterdir()))
