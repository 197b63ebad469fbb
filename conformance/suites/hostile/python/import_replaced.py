# expect: error program_throw
import builtins
builtins.__import__ = None
import gg
