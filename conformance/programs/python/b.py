# (b) An uncaught native fault: an index past the end of a list.

values = [1, 2, 3]
print(
    "the eighth value:",
    values[7],
)
