// expect: progressed none
for (const name of ["std", "os", "qjs:std", "bjson", "node:fs", "./program.js", "file:///etc/passwd", "https://a/b.js", "gg/files", ""]) {
  try {
    await import(name);
    console.log("imported", name);
  } catch (error) {
    if (!(error instanceof ReferenceError)) console.log(name, error);
  }
}
