import gg

print(gg.files.count_lines("three.txt"))
try:
    gg.files.count_lines("missing.txt")
except gg.core.ApiError as error:
    print(error.operation, error.code.value)
