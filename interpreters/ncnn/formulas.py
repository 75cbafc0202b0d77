"""Formulas on whole arrays: the reference semantics of layers with a formula.

A layer whose runtime results differ from its formula has a separate function in `activation.py`,
`elementwise.py` or `conversion.py`, with the reason.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...dialects.ncnn.formulas import Arg, Call, Const, Term
from ...dialects.ncnn.interfaces import HasFormula
from .channels import along_outermost
from .erf import erf
from .int8 import mac_body, rounded
from .semantics import Array, Inputs, Weights
from .traceable import traceable


@traceable
def inverse_root(x: Array) -> Array:
    return 1 / np.sqrt(x)


def _remainder(a: Array, b: Array) -> Array:
    """C's `remainder`: the difference between a and the nearest multiple of b, ties to the even
    multiple. Each step is exact in float64."""
    x, y = np.abs(a, dtype="f8"), np.abs(b, dtype="f8")
    rest = np.fmod(x, 2 * y)
    more = 2 * rest > y
    rest = np.where(more, rest - y, rest)
    rest = np.where(more & (2 * rest >= y), rest - y, rest)
    return np.copysign(1, a) * rest


OPERATIONS: Mapping[str, Callable[..., Any]] = {
    "arith.addf": np.add,
    "arith.subf": np.subtract,
    "arith.mulf": np.multiply,
    "arith.divf": np.divide,
    "arith.negf": np.negative,
    "arith.maximumf": np.maximum,
    "arith.minimumf": np.minimum,
    "arith.maxnumf": np.fmax,
    "arith.minnumf": np.fmin,
    "arith.select": np.where,
    "arith.addi": np.add,
    "arith.subi": np.subtract,
    "arith.muli": np.multiply,
    "arith.maxsi": np.maximum,
    "arith.minsi": np.minimum,
    "arith.andi": np.bitwise_and,
    "arith.ori": np.bitwise_or,
    "arith.xori": np.bitwise_xor,
    "math.absf": np.abs,
    "math.acos": np.arccos,
    "math.acosh": np.arccosh,
    "math.asin": np.arcsin,
    "math.asinh": np.arcsinh,
    "math.atan": np.arctan,
    "math.atan2": np.arctan2,
    "math.atanh": np.arctanh,
    "math.cbrt": np.cbrt,
    "math.ceil": np.ceil,
    "math.copysign": np.copysign,
    "math.cos": np.cos,
    "math.cosh": np.cosh,
    "math.erf": erf,
    "math.exp": np.exp,
    "math.exp2": np.exp2,
    "math.expm1": np.expm1,
    "math.floor": np.floor,
    "math.fma": mac_body,
    "math.log": np.log,
    "math.log10": np.log10,
    "math.log1p": np.log1p,
    "math.log2": np.log2,
    "math.powf": np.power,
    "math.round": rounded,
    "math.roundeven": np.rint,
    "math.rsqrt": inverse_root,
    "math.sin": np.sin,
    "math.sinh": np.sinh,
    "math.sqrt": np.sqrt,
    "math.tan": np.tan,
    "math.tanh": np.tanh,
    "math.trunc": np.trunc,
    "c.fmod": np.fmod,
    "c.remainder": _remainder,
}
"""The semantics of operations of `arith` and `math`, and of C functions that these lack."""

_CONVERSIONS: Mapping[str, str] = {"f32": "f4", "f16": "f2", "i8": "i1", "i32": "i4"}


def compute(formula: Term, args: Sequence[Array]) -> Array:
    """Return the values of a formula for broadcast arguments. Common subexpressions are computed
    once."""
    return _value(formula, args, {})


def _value(node: Term, args: Sequence[Array], made: dict[Term, Any]) -> Any:
    if isinstance(node, Arg):
        return args[node.index]
    if isinstance(node, Const):
        return np.float32(node.value)
    if node not in made:
        assert isinstance(node, Call), f"{node} is not a formula"
        made[node] = _result(node, [_value(arg, args, made) for arg in node.args])
    return made[node]


def _result(node: Call, args: Sequence[Any]) -> Any:
    if node.predicate:
        return args[0] < args[1] if node.predicate == "olt" else args[0] > args[1]
    if node.to is not None:
        return args[0].astype(_CONVERSIONS[str(node.to)])
    return OPERATIONS[node.op](*args)


def by_formula(op: HasFormula, inputs: Inputs, weights: Weights) -> Array:
    """Return a layer's formula on its input blobs and weights. A weight has one value for all
    elements, or one per index of the outermost axis. Raises `NoFormula`."""
    across = [along_outermost(v, inputs[0].ndim) for v in weights.values() if v is not None]
    formula = op.formula(*map(Arg, range(len(inputs) + len(across))))
    return compute(formula, [*inputs, *across])
