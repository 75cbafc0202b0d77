"""From IR to files: `.param` with its `.bin`, and `.mlir` with its `.bin`."""
