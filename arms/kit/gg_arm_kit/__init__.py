"""What every arm shares: the arm seam, toolchain store, content-keyed build steps, confined child processes."""
