"""Reference semantics of the layers, for constant folding and (`functions.py`) xDSL's
interpreter."""

from .semantics import Array, NoSemantics, evaluate, semantics_of

__all__ = ["Array", "NoSemantics", "evaluate", "semantics_of"]
