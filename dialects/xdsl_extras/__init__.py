"""Workarounds for xDSL 0.74, each with its reason.

- `parsing.py`: a lexer and parser with linear time and memory.
- `guarding.py`: separates exceptions that xDSL does not document from defects of this project.
- `operands.py`: operands of an operation with segment sizes, without xDSL's accessors.
- `constraints.py`: the declared constraint inside IRDL's wrappers.
- `unverified_attributes.py`: attributes without verification.
- `strings.py`: non-ASCII strings, which xDSL prints as bytes.
"""
