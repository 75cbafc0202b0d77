"""Constants that are also extents which follow the inputs' sizes, or products or quotients of such:
in one export nothing shows that they are not computed from them."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import SSAValue

from ...analysis.input_shapes import contradictions
from ...analysis.shape_inference import infer
from ...dialects.ncnn.activation import ClipOp
from ...dialects.ncnn.blob import static_shape_of
from ...dialects.ncnn.constant import ConstantOp, constant_of
from ...dialects.ncnn.cropping import CropOp
from ...dialects.ncnn.elementwise import PowerOp
from ...dialects.ncnn.extents import ABSENT
from ...dialects.ncnn.joining import SliceOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.params import Kind, Param
from ...dialects.ncnn.pooling import Pool1D
from ...dialects.ncnn.reshaping import ReshapeOp
from ...dialects.ncnn.slots import Shape
from ...dialects.shapes.terms import Extents, Term
from .model import Claim, Numbers, SizedModel

NEAR = 3e-7
"""How far, relatively, a float32 may be from the number that it was rounded from."""

MOST_VALUES = 4
"""A constant of more different values is a table, not computed from extents."""

KINDS = frozenset(("axes", "axis", "keepdims", "operation", "order_type", "reduce_all"))
"""Integer parameters that are no numbers of elements."""

USUAL = 3
"""Windows of a Pooling up to this are taken as those of the network."""

COMPUTED = frozenset(("b", "coeff", "coeffs", "max", "min", "scale", "shift", "value"))
"""The float parameters that a program may compute from sizes. Others belong to a module."""

ACTIVATIONS = frozenset(((0, 6), (0, 1), (-1, 1)))
"""The bounds of a Clip that is an activation: ReLU6, hard sigmoid, hard tanh."""

ADVICE = "give an export at another size (--like)"


def check(model: SizedModel) -> None:
    """Record as problems the constants that nothing proves to be independent of the sizes."""
    known = Derived(model)
    for op in model.func.body.block.ops:
        if not isinstance(op, LayerOp) or isinstance(op, ConstantOp):
            continue
        model.claims += _int_params(op)
        _check_floats(op, model, known)
        _check_constants(op, model, known)
    for claim in model.claims:
        if (found := known.integer(_value(claim))) and not _is_proven(claim, model):
            what = claim.param if claim.place is None else f"{claim.param}[{claim.place}]"
            _refuse(model, claim.op, f"{what} of {_value(claim)}", found)
    for each in model.values:
        first, *others = [known.value(v, own) for v, own in each.parts]
        shared = [key for key in first if all(key in other for other in others)]
        if shared:
            _refuse(model, each.op, f"value {each.parts[0][0]:g}", first[shared[0]])


def _refuse(model: SizedModel, op: LayerOp, what: str, formula: str) -> None:
    model.refuse(
        op, f"its {what} is also {formula}; whether it follows the inputs is not certain: {ADVICE}"
    )


class Derived:
    """The numbers that the extents which follow the inputs' sizes give at the exports, and those
    that a program may compute from them."""

    def __init__(self, model: SizedModel) -> None:
        self.extents = set(model.dynamic_extents().values())
        pairs: set[Numbers] = set()
        for extents in model.terms.values():
            free = [model.numbers_of(n) for n in extents if isinstance(n, Term)]
            for a, b in combinations([n for n in free if n is not None], 2):
                pairs.add(tuple(m * n for m, n in zip(a, b, strict=True)))
        self.products = pairs - self.extents
        self._integers = {
            n[0]: "an extent that follows the inputs" for n in self.extents if len(set(n)) == 1
        } | {n[0]: "a product of such extents" for n in self.products if len(set(n)) == 1}

        self._values: dict[float, dict[str, str]] = {}
        for numbers in sorted(self.extents | self.products):
            for key, text, results in _simple(numbers):
                if _are(results, results[0]):
                    found = self._values.setdefault(np.float32(results[0]).item(), {})
                    found[f"{key} {numbers}"] = text

    def integer(self, value: int) -> str | None:
        """The formula that gives an integer at all exports; `None` if there is none."""
        return None if value == ABSENT else self._integers.get(abs(value))

    def value(self, value: float, own: Sequence[Numbers] = ()) -> Mapping[str, str]:
        """The formulas that give a number or its negative at all exports, by a key that is the same
        for the same formula on other extents. `own` are the extents that the value belongs to."""
        if not value or not np.isfinite(value):
            return {}
        value = abs(value)
        found = dict(self._values.get(np.float32(value).item(), {}))
        whole = [tuple(map(prod, zip(*own, strict=True)))] if len(own) > 1 else []
        for place, numbers in enumerate([*own, *whole]):
            for key, text, results in (*_simple(numbers), *_centered(numbers)):
                if _are(results, value):
                    found[f"{key} of {place}"] = text
        return found


Formula = tuple[str, str, list[float]]


def _simple(n: Numbers) -> Iterator[Formula]:
    yield "n", f"the extent {n[0]}", [float(m) for m in n]
    yield "1/n", f"1 / {n[0]}", [1 / m for m in n]


def _centered(n: Numbers) -> Iterator[Formula]:
    """What normalizes positions, between centers or between edges."""
    yield "n/2", f"{n[0]} / 2", [m / 2 for m in n]
    yield "2/n", f"2 / {n[0]}", [2 / m for m in n]
    if min(n) > 1:
        yield "n-1", f"{n[0]} - 1", [m - 1.0 for m in n]
        yield "1/(n-1)", f"1 / ({n[0]} - 1)", [1 / (m - 1) for m in n]
        yield "(n-1)/2", f"({n[0]} - 1) / 2", [(m - 1) / 2 for m in n]
        yield "2/(n-1)", f"2 / ({n[0]} - 1)", [2 / (m - 1) for m in n]


def _are(results: Sequence[float], value: float) -> bool:
    return all(abs(result - value) <= NEAR * result for result in results)


# -- integers


def _value(claim: Claim) -> int:
    value = getattr(claim.op, claim.param)
    if claim.place is None:
        return value
    return value[claim.place] if claim.place < len(value) else 0  # an expression is in its place


def _int_params(op: LayerOp) -> Iterator[Claim]:
    """The integer parameters on which the extents of a layer's results depend. Windows of layers
    with weights are part of the module; Reshape, Slice and Crop are looked at where they are made
    relative."""
    if isinstance(op, ReshapeOp | SliceOp | CropOp):
        return
    ignored = ("stride_", "pad_") if isinstance(op, Pool1D) else ()
    for name, param in type(op).PARAMS.items():
        if not isinstance(param, Param) or param.names or name in KINDS:
            continue
        if type(op).WEIGHTS and not name.startswith("output_"):
            continue
        if name.startswith(ignored) or (name.startswith("kernel_") and getattr(op, name) <= USUAL):
            continue
        if param.kind is Kind.INT:
            yield Claim(op, name, None)
        elif param.kind is Kind.INTS:
            yield from (Claim(op, name, i) for i in range(len(getattr(op, name))))


def _changed(op: LayerOp, claim: Claim) -> None:
    """Make the parameter of a claim larger by one."""
    value = getattr(claim.op, claim.param)
    if claim.place is None:
        op.set_params(**{claim.param: value + 1})
    else:
        i = claim.place
        op.set_params(**{claim.param: (*value[:i], value[i] + 1, *value[i + 1 :])})


def _is_proven(claim: Claim, model: SizedModel) -> bool:
    """Whether a parameter does not matter to the shapes, or weights determine it: with another
    value a layer with weights gets blobs that it is not for."""
    op = claim.op
    if op.parent is None:
        return True
    terms = [model.of(v) for v in op.operands]
    numbers = [shapes[0] if shapes else None for shapes in map(model.numbers, op.operands)]
    other = op.clone()
    _changed(other, claim)
    # Terms alone prove nothing of extents that they leave open.
    if all(other.infer_shapes(each) == op.infer_shapes(each) for each in (terms, numbers)):
        return True
    copy = model.func.clone()
    pairs = zip(model.func.body.block.ops, copy.body.block.ops, strict=True)
    changed = next(twin for own, twin in pairs if own is op)
    assert isinstance(changed, LayerOp)
    before = {each.op for each in contradictions(copy)}
    _changed(changed, claim)
    infer(copy)
    return any(type(each.op).WEIGHTS and each.op not in before for each in contradictions(copy))


# -- values


def _own_extents(op: LayerOp, model: SizedModel) -> list[Numbers]:
    """The extents of a layer's operands that follow the inputs."""
    found: dict[Numbers, None] = {}
    for value in op.operands:
        for n in model.of(value) or ():
            if isinstance(n, Term) and (numbers := model.numbers_of(n)) is not None:
                found[numbers] = None
    return list(found)


def _check_floats(op: LayerOp, model: SizedModel, known: Derived) -> None:
    if isinstance(op, ClipOp) and (op.min, op.max) in ACTIVATIONS:
        return
    own = _own_extents(op, model)
    for name, param in type(op).PARAMS.items():
        if not isinstance(param, Param) or name not in COMPUTED:
            continue
        value = getattr(op, name)
        idle = isinstance(op, PowerOp) and op.scale == op.power == 1 and not op.shift
        default = None if idle else param.default_for(op)  # only a computed factor may be idle
        for each in cast(Sequence[Any], value if isinstance(value, tuple) else (value,)):
            if isinstance(each, float) and each != default and (f := known.value(each, own)):
                _refuse(model, op, f"{name} of {each:g}", f[min(f)])


def _check_constants(op: LayerOp, model: SizedModel, known: Derived) -> None:
    """The values and extents of the constants that a layer reads as blobs."""
    for value in op.data_operands():
        constant = constant_of(value)
        if constant is None or constant in model.built:
            continue
        shape = static_shape_of(value) or ()
        for axis, n in enumerate(shape):
            if (f := known.integer(n)) and not _is_forced(op, value, axis, shape, model):
                _refuse(model, op, f"constant of extent {n} along axis {axis}", f)
        if not constant.has_values():
            continue
        for each in few_values(constant.read()):
            if f := known.value(float(each), _own_extents(op, model)):
                label = constant if constant.layer_name is not None else op
                _refuse(model, label, f"value {each:g}", f[min(f)])


def few_values(values: NDArray[Any]) -> Sequence[float]:
    """The different values of a constant; none if it has many."""
    for part in (values.reshape(-1)[:64], values):  # a large table is not read
        found = np.unique(part.astype("f8"))
        if len(found) > MOST_VALUES:
            return []
    return found.tolist()


def _is_forced(op: LayerOp, value: SSAValue, axis: int, shape: Shape, model: SizedModel) -> bool:
    """Whether a constant must have this extent, because of other extents that do not follow the
    inputs, or it does not matter."""
    operands: list[Extents | None] = [model.of(v) for v in op.operands]
    place = list(op.operands).index(value)
    larger = (*shape[:axis], shape[axis] + 1, *shape[axis + 1 :])
    others = [*operands[:place], larger, *operands[place + 1 :]]
    if op.refusal(operands) is None and op.refusal(others) is not None:
        return True
    return op.infer_shapes(others) == op.infer_shapes(operands)
