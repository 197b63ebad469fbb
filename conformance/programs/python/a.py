# (a) An uncaught failed call: the file is not there, and nothing catches the failure.

import gg

print(
    "reading",
    "the notes",
)
notes = gg.files.read_file(
    "missing.md",
)
print(notes)
