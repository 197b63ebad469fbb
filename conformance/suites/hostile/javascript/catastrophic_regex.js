// expect: error sandbox_timeout
/^(\w+\s?)*$/.test("an input that does not match and is long enough to take for ever !");
