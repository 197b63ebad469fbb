# Little is left, and the result of a call does not fit into it.
import gg

kept = []
try:
    while True:
        kept.append(bytearray(64 * 1024))
except MemoryError:
    kept.pop()
print("full")
skill = gg.skills.read_skill("eight...")
print(type(skill))
