"""Fuzzing of the readers, and of `-O` on what they accept: `make fuzz`."""
