# expect: error sandbox_out_of_memory
eval('-' * 100_000 + '1')
