// expect: error sandbox_timeout
function again() {
  try { for (;;) {} } catch { again(); } finally { again(); }
}
again();
