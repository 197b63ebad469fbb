# expect: error program_throw
import json
a = []
for n in range(100_000): a = [a]
json.dumps(a)
