# expect: error program_throw own
raise KeyboardInterrupt('own')
