# One call of the engine that never comes back to the program by itself.
import re

print(re.match(r"^(a+)+$", "a" * 60 + "b"))
