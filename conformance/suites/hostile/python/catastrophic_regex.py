# expect: error sandbox_timeout
import re
re.match('(a*)*b', 'a' * 40)
