# expect: error program_api_error
import gg
raise gg.core.ApiError(42, object(), None)
