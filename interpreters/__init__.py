"""NumPy semantics of the operations: one package per dialect."""
