# expect: error program_api_error
import gg
p = gg.tasks.TaskPatch()
object.__setattr__(p, 'title', 3)
gg.tasks.update_task('a', p)
