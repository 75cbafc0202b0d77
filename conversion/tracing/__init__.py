"""Arrays that record what is computed with them: the reference semantics of a layer, run on them,
become a graph of tensor operations (`nodes.py`), which `convert_to_linalg` writes as MLIR. So one
account of each layer gives the interpreter and the lowering.

NumPy calls them through its protocols (`__array_ufunc__`, `__array_function__`); functions of the
reference that are more than NumPy's are `traceable` and stand in `primitives.py`.
"""
