# expect: error program_throw own
raise SystemExit('own words')
