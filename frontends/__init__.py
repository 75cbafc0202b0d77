"""From files to IR: `.param` and `.param.bin` with their `.bin`."""
