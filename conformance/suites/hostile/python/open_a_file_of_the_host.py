# expect: error program_throw
open('/etc/passwd').read()
