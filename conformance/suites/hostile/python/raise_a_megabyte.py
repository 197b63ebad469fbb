# expect: error program_throw own
raise ValueError('own' + 'x' * 5_000_000)
