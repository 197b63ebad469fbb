# expect: error program_api_error
import gg
e = gg.core.ApiError.__new__(gg.core.ApiError)
raise e
