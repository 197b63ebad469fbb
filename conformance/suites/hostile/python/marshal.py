# expect: error program_throw
import marshal
marshal.loads(b'\xe3' + b'\xff' * 100)
