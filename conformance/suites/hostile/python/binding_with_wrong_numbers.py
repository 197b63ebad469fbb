# expect: error sandbox_trap
import gg
cross = gg.files._crossing.cross
cross(9999, [])
