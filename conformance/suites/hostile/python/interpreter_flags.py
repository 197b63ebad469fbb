# expect: error program_throw
import _testcapi
