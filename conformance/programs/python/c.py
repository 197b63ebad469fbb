# (c) A failure value: the program ends itself with a status instead of raising an error.

import sys

print(
    "three steps",
    "to go",
)
sys.exit(
    3,
)
