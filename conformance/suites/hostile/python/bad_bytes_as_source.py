# expect: error program_throw
exec(b'\xff')
