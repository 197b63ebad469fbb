// expect: error sandbox_timeout
for (;;) "a".repeat(1000000).indexOf("b");
