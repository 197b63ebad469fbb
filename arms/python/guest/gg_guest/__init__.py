"""What runs a program inside the guest. Programs never see this package: it is hidden before the first one starts.

One interpreter cannot keep a program from an object it hunts for. What matters is decided elsewhere, by the host at each
call. Here, a program that takes the interpreter apart must not change how its own failure is told, so these modules keep
references of their own to all they use: their own copy of the built-in names (``own_builtins``) and of ``traceback``.
"""
