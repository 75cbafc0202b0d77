"""What the layers compute (reference semantics), for constant folding and, in `functions.py`, for
xDSL's interpreter."""

from .semantics import Array, NoSemantics, evaluate, semantics_of

__all__ = ["Array", "NoSemantics", "evaluate", "semantics_of"]
