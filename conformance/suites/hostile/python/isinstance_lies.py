# expect: error program_api_error
import builtins, gg
builtins.isinstance = lambda *a: True
builtins.type = lambda *a: str
gg.files.read_file(3)
