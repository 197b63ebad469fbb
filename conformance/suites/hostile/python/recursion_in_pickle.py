# expect: error program_throw
import pickle
a = []
for n in range(100_000): a = [a]
pickle.dumps(a)
