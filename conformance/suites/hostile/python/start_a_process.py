# expect: error program_throw
import subprocess
subprocess.run(['/bin/sh', '-c', 'true'])
