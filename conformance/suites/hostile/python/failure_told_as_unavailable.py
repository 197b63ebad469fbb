# expect: error program_unknown_name
import gg
raise gg.core.ApiError(gg.core.ApiErrorCode.UNAVAILABLE, 'x', 'y')
