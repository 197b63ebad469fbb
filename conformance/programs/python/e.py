# (e) An explicit exit that no handler sees.

import os

print(
    "before",
    "leaving",
)
os._exit(
    3,
)
print("after leaving")
