"""The built-in names, copied: a program may replace those of ``builtins``, and what runs it must not notice.

A module that begins with ``from gg_guest.own_builtins import NAMES as __builtins__`` looks names up here, because a
function takes ``__builtins__`` from its module's globals when it is made.
"""

import builtins

NAMES = dict(vars(builtins))
