let n = 0;
for (;;) {
  try {
    for (;;) n += 1;
  } finally {
    continue;
  }
}
