# expect: error sandbox_out_of_memory
x = [0] * (1 << 30)
