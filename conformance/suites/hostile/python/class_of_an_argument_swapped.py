# expect: error program_throw
import gg
class P(gg.tasks.TaskPatch): pass
p = object.__new__(P)
gg.tasks.update_task('a', p)
