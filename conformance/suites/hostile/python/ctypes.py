# expect: error program_throw
import ctypes
ctypes.string_at(0)
