# expect: error program_throw
import sys
sys.setrecursionlimit(10**9)
def f(): f()
f()
