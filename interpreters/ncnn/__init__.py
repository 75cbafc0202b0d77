"""Reference semantics of the layers, for constant folding and (`functions.py`) xDSL's
interpreter."""

from .layer_evaluation import evaluate, semantics_of
from .semantics import Array, NoSemantics

__all__ = ["Array", "NoSemantics", "evaluate", "semantics_of"]
