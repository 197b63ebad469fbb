# expect: error sandbox_trap
import faulthandler
faulthandler._sigsegv()
