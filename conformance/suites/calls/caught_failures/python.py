import gg

caught = 0
for _ in range(100_000):
    try:
        gg.files.read_text_file("notes.md")
    except gg.core.ApiError as error:
        if error.code is gg.core.ApiErrorCode.UNAVAILABLE and error.operation == "read_text_file":
            caught += 1
print(caught)
