import gg

gg.session.finish("all is done")
try:
    gg.files.read_file("missing.md")
except gg.core.ApiError as error:
    print(error.code.value)
try:
    raise ValueError("of the program itself")
except ValueError as error:
    print(True)
