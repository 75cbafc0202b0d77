"""What the operations compute, in NumPy: one room a dialect."""
