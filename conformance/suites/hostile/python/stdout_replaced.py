# expect: error program_throw
import sys
class S:
    def write(self, t): raise KeyboardInterrupt
    flush = write
sys.stdout = sys.stderr = S()
print('x')
