# expect: error program_throw own
raise ExceptionGroup('own', [ValueError(n) for n in range(1000)])
