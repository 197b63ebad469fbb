# expect: error program_api_error
import gg
m = object.__new__(gg.tasks.TaskStatus)
gg.tasks.update_task('a', gg.tasks.TaskPatch(status=m))
