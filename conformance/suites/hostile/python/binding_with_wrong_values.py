# expect: error sandbox_trap
import gg
gg.files._crossing.cross(gg.files._READ_FILE, [object()])
