const kept = [];
for (;;) kept.push("x".repeat(1000).split(""));
