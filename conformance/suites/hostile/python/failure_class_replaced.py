# expect: error program_unknown_name
import gg
gg.core.ApiError = ValueError
gg.files.read_file('a')
