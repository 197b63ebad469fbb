# (d) A resource fault: recursion without an end.

print(
    "going",
    "down",
)


def deeper(n):
    return deeper(n + 1)


print(deeper(0))
