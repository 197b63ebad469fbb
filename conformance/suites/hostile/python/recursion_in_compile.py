# expect: error program_throw
eval('+'.join(['a'] * 200_000))
