"""What works around xDSL, for as long as it has to: written for xDSL 0.74, each with its reason.

- `parsing.py`: a lexer and parser whose time and memory follow the size of the text.
- `guarding.py`: what xDSL does not mean to raise, told apart from what is a defect of ours.
- `operands.py`: operands of an operation with segment sizes, without xDSL's accessors.
- `constraints.py`: the constraint that was declared, inside those that IRDL wraps around it.
- `verification.py`: attributes without verification.
- `strings.py`: strings with characters beyond ASCII, which are printed as bytes.
"""
