# expect: progressed none
import faulthandler
faulthandler._read_null()
