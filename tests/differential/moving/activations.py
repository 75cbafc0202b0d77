"""Steps that compute with single elements."""

from hypothesis import strategies as st

from ..nets import Params
from .model import Moves, Value

ABS, NEG, FLOOR, CEIL, SQUARE, ROUND, SIGN = 0, 1, 2, 3, 4, 18, 20
"""UnaryOp's `op_type`."""


def element_wise(m: Moves, x: Value) -> Value:
    kinds: list[tuple[str, Params, bool]] = [
        ("Sigmoid", {}, False),
        ("TanH", {}, False),
        ("BinaryOp", {0: 2, 1: 1, 2: -1.5}, False),
        ("Clip", {0: -1.0, 1: 1.5}, True),
        ("UnaryOp", {0: NEG}, True),
        ("UnaryOp", {0: NEG}, True),
        ("UnaryOp", {0: ABS}, True),
        ("UnaryOp", {0: SQUARE}, False),
        ("AbsVal", {}, True),
    ]
    if x.exact:
        kinds += [("UnaryOp", {0: op}, True) for op in (FLOOR, CEIL, ROUND, SIGN)] * 2
    kind, params, exact = m.draw(st.sampled_from(kinds))
    return m.add(kind, x, x.shape, params, exact=exact)
