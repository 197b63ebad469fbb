# expect: error program_unknown_name
import gg
gg.core.ApiErrorCode.NOT_FOUND._name_ = 'UNAVAILABLE'
gg.files.read_file('a')
