# expect: error program_throw
import sys
def t(*a): raise ValueError('in the tracer')
sys.settrace(t)
def f(): pass
f()
