"""Arrays that record computations. The reference semantics of a layer, run on them, become a graph
of tensor operations (`nodes.py`), which `to_linalg` writes as MLIR. So one definition of each layer
gives the interpreter and the lowering.

NumPy calls the arrays through its protocols (`__array_ufunc__`, `__array_function__`). Functions of
the reference that NumPy lacks are `traceable`; their traced forms are in `primitives.py`.
"""
