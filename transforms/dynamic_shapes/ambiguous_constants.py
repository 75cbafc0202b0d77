"""Constants that coincide with dynamic extents, or with their products or quotients: one export
does not show whether they are computed from them.

Example: an input of 20 elements becomes dynamic, and a Power multiplies it by 0.05. The program may
have computed 0.05 as 1 / 20, so the layer is refused. An export with 40 elements decides: if its
factor is 0.05, too, the factor is a constant, since 1 / 40 is 0.025. A factor of 0.07 needs no
other export: it is neither 20 nor 1 / 20.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IntegerAttr
from xdsl.ir import Attribute, SSAValue

from ...analysis.input_shapes import contradictions
from ...analysis.shape_inference import infer
from ...dialects.ncnn.activation import ClipOp
from ...dialects.ncnn.blob import static_shape_of
from ...dialects.ncnn.constant import ConstantOp, constant_of
from ...dialects.ncnn.cropping import CropOp, PaddingOp
from ...dialects.ncnn.elementwise import PowerOp
from ...dialects.ncnn.extents import ABSENT, AXES
from ...dialects.ncnn.joining import SliceOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.params import Param, ParamKind
from ...dialects.ncnn.pooling import Pool1D
from ...dialects.ncnn.reshaping import ReshapeOp
from ...dialects.ncnn.weight_specs import Shape
from ...dialects.shapes.terms import Extents, ExtentTerm, provably_equal
from .exported_model import ExportedModel, Numbers, ParamAssumption

TOLERANCE = 3e-7
"""The relative error of a float32."""

MAX_VALUES = 4
"""A constant with more different values is a table, not computed from extents."""

MODES = frozenset(("axes", "axis", "keepdims", "operation", "order_type", "reduce_all"))
"""Integer parameters that are no numbers of elements."""

NOT_EXTENTS = frozenset(
    (
        *("constant_broadcast_type_C", "dynamic_target_size", "eps_mode", "featmask", "fixbug0"),
        *("input_batch_axis", "output_batch_axis", "int8_scale_term", "load_type", "num_heads"),
        *("out_elempack", "output_elempack", "output_elemtype", "pyramid_height"),
        *("quantize_term", "shape_hints", "version"),
    )
)
"""Integer parameters without effect on shapes that are no numbers of elements: kinds and layouts.
All others are checked, so that a new parameter is."""

USUAL_WINDOW = 3
"""Pooling windows up to this extent are assumed to be parameters of the network."""

COMPUTED = frozenset(("b", "coeff", "coeffs", "max", "min", "scale", "shift", "value"))
"""The float parameters that a program may compute from extents. Others belong to a module."""

ACTIVATIONS = frozenset(((0, 6), (0, 1), (-1, 1)))
"""The bounds of a Clip that is an activation: ReLU6, hard sigmoid, hard tanh."""


def check(model: ExportedModel) -> None:
    """Refuse the layers with constants that are not provably independent of the inputs' extents."""
    known = ExtentFormulas(model)
    for op in model.func.body.block.ops:
        if not isinstance(op, LayerOp) or isinstance(op, ConstantOp):
            continue
        model.param_assumptions += _int_params(op, model)
        _check_extra(op, model, known)
        _check_floats(op, model, known)
        _check_constants(op, model, known)
    for each in model.param_assumptions:
        # The rewrites of these decided about functions of extents along dynamic axes.
        is_rewritten = isinstance(each.op, ReshapeOp | SliceOp | CropOp)
        formula = known.of_integer if is_rewritten else known.of_parameter
        found = formula(each.value())
        lost = "" if found or is_rewritten else _lost_extent(each, model)
        if (found or lost) and not _is_proven(each, model):
            name = each.param if each.place is None else f"{each.param}[{each.place}]"
            if found:
                _refuse(model, each.op, f"{name} of {each.value()}", found)
            else:
                model.refuse(each.op, f"its {name} of {each.value()} {lost}: {model.advice()}")
    for each in model.value_assumptions:
        first, *others = [known.of_value(v, own) for v, own in each.parts]
        shared = [key for key in first if all(key in other for other in others)]
        if shared:
            _refuse(model, each.op, f"value {each.parts[0][0]:g}", first[shared[0]])


def _refuse(model: ExportedModel, op: LayerOp, what: str, formula: str) -> None:
    model.refuse(
        op,
        f"its {what} is also {formula}, so it may depend on the input size: " + model.advice(),
    )


class ExtentFormulas:
    """The numbers of the dynamic extents in the exports, and the numbers that a program may compute
    from them, with their formulas."""

    def __init__(self, model: ExportedModel) -> None:
        self.extents = set(model.dynamic_extents().values())
        pairs: set[Numbers] = set()
        for extents in model.terms.values():
            free = [model.numbers_of(n) for n in extents if isinstance(n, ExtentTerm)]
            for a, b in combinations([n for n in free if n is not None], 2):
                pairs.add(tuple(m * n for m, n in zip(a, b, strict=True)))
        self.products = pairs - self.extents
        self._integers = {
            n[0]: "an extent that follows the inputs" for n in self.extents if len(set(n)) == 1
        } | {n[0]: "a product of such extents" for n in self.products if len(set(n)) == 1}

        self._computed = {
            m: text
            for n in sorted(self.extents)
            for text, results in _integer_functions(n)
            if len({*results}) == 1 and (m := results[0]) > USUAL_WINDOW
        }
        self._values: dict[float, dict[str, str]] = {}
        for numbers in sorted(self.extents | self.products):
            for key, text, results in _simple(numbers):
                if _are_all(results, results[0]):
                    found = self._values.setdefault(np.float32(results[0]).item(), {})
                    found[f"{key} {numbers}"] = text

    def of_integer(self, value: int) -> str | None:
        """Return the formula with this value in all exports; `None` without one."""
        return None if value == ABSENT else self._integers.get(abs(value))

    def of_parameter(self, value: int) -> str | None:
        """Return the formula of a parameter with this value in all exports; `None` without one. A
        program computes parameters from extents, too, not only extents themselves."""
        if (found := self.of_integer(value)) is not None or value == ABSENT:
            return found
        return self._computed.get(abs(value))

    def of_value(self, value: float, own: Sequence[Numbers] = ()) -> Mapping[str, str]:
        """Return the formulas with this value, or its negative, in all exports. The keys are equal
        for the same formula of other extents. `own` are the extents of the value's layer."""
        if not value or not np.isfinite(value):
            return {}
        value = abs(value)
        found = dict(self._values.get(np.float32(value).item(), {}))
        whole = [tuple(map(prod, zip(*own, strict=True)))] if len(own) > 1 else []
        for place, numbers in enumerate([*own, *whole]):
            for key, text, results in (*_simple(numbers), *_centered(numbers)):
                if _are_all(results, value):
                    found[f"{key} of {place}"] = text
        return found


def _integer_functions(n: Numbers) -> Iterator[tuple[str, list[int]]]:
    """Yield the integers that programs compute from an extent: multiples, halves, neighbours."""
    yield f"2 * {n[0]}", [2 * m for m in n]
    yield f"{n[0]} / 2", [m // 2 for m in n]
    yield f"{n[0]} / 2", [-(-m // 2) for m in n]
    yield f"{n[0]} - 1", [m - 1 for m in n]
    yield f"{n[0]} + 1", [m + 1 for m in n]


Formula = tuple[str, str, list[float]]


def _simple(n: Numbers) -> Iterator[Formula]:
    yield "n", f"the extent {n[0]}", [float(m) for m in n]
    yield "1/n", f"1 / {n[0]}", [1 / m for m in n]


def _centered(n: Numbers) -> Iterator[Formula]:
    """Yield the formulas that normalize positions, between centers or between edges."""
    yield "n/2", f"{n[0]} / 2", [m / 2 for m in n]
    yield "2/n", f"2 / {n[0]}", [2 / m for m in n]
    if min(n) > 1:
        yield "n-1", f"{n[0]} - 1", [m - 1.0 for m in n]
        yield "1/(n-1)", f"1 / ({n[0]} - 1)", [1 / (m - 1) for m in n]
        yield "(n-1)/2", f"({n[0]} - 1) / 2", [(m - 1) / 2 for m in n]
        yield "2/(n-1)", f"2 / ({n[0]} - 1)", [2 / (m - 1) for m in n]


def _are_all(results: Sequence[float], value: float) -> bool:
    return all(abs(result - value) <= TOLERANCE * result for result in results)


# -- integers


def _int_params(op: LayerOp, model: ExportedModel) -> Iterator[ParamAssumption]:
    """Yield the integer parameters that a program may compute from extents. The weights of a layer
    determine its parameters, other than the extents of its results and the widths of a Padding. The
    rewrites of Reshape, Slice and Crop check their own parameters."""
    if isinstance(op, ReshapeOp | SliceOp | CropOp):
        return
    has_weights = any(value is not None for value in op.weight_operands().values())
    has_weights = has_weights and not isinstance(op, PaddingOp)
    ignored: tuple[str, ...] = ()
    if isinstance(op, Pool1D):
        whole = op.global_pooling or op.adaptive_pooling
        ignored = ("kernel_", "stride_", "pad_") if whole else ("stride_", "pad_", "out_")
        ignored += ("out_",) if op.global_pooling else ()
    for name, param in type(op).PARAMS.items():
        if not isinstance(param, Param) or param.names or name in MODES:
            continue
        if name.startswith("kernel_") and _spans_static_extent(op, name, model):
            continue
        if name in NOT_EXTENTS or (has_weights and not name.startswith("output_")):
            continue
        if name.startswith(ignored) or (
            name.startswith("kernel_") and getattr(op, name) <= USUAL_WINDOW
        ):
            continue
        if param.kind is ParamKind.INT:
            yield ParamAssumption(op, name, None)
        elif param.kind is ParamKind.INTS:
            yield from (ParamAssumption(op, name, i) for i in range(len(getattr(op, name))))


def _lost_extent(assumption: ParamAssumption, model: ExportedModel) -> str:
    """Return the description of a dynamic extent that a parameter replaces by a constant; an empty
    string if there is none, or if two exports of different extents have the same parameter."""
    op = assumption.op
    if op.parent is None or abs(assumption.value()) <= 1:
        return ""
    terms: list[Extents | None] = [model.of(v) for v in op.operands]
    other = op.clone()
    assumption.increment(other)
    own, changed = op.infer_shapes(terms), other.infer_shapes(terms)
    if own is None or changed is None or provably_equal(own, changed):
        return ""
    for before, after in zip(own, changed, strict=True):
        if before is None or after is None or len(before) != len(after):
            continue
        for place, (n, m) in enumerate(zip(before, after, strict=True)):
            if n == m or isinstance(n, ExtentTerm):
                continue
            for extent in _extents_at(terms, place - len(before)):
                numbers = model.numbers_of(extent)
                if numbers is None or len(set(numbers)) == 1:
                    return "takes the place of an extent that follows the inputs"
    return ""


def _extents_at(terms: Sequence[Extents | None], place: int) -> Iterator[ExtentTerm]:
    """Yield the dynamic extents of the first operand at a place counted from the innermost axis."""
    first = terms[0] if terms else None
    if first is not None and len(first) >= -place and isinstance(n := first[place], ExtentTerm):
        yield n


def _is_proven(assumption: ParamAssumption, model: ExportedModel) -> bool:
    """Whether weights determine a parameter: with another value, the blobs would contradict the
    weights of a layer. A parameter without effect on the shapes that are known (a position, a
    number of boxes) is proven only if it is a flag."""
    op = assumption.op
    if op.parent is None:
        return True
    terms: list[Extents | None] = [model.of(v) for v in op.operands]
    exported = [model.shapes(v) for v in op.operands]
    numbers: list[Extents | None] = [shapes[0] if shapes else None for shapes in exported]
    other = op.clone()
    assumption.increment(other)
    # Terms alone prove nothing about extents that they leave open.
    if all(
        provably_equal(other.infer_shapes(each), op.infer_shapes(each)) for each in (terms, numbers)
    ):
        return assumption.value() in (0, 1)
    copy = model.func.clone()
    pairs = zip(model.func.body.block.ops, copy.body.block.ops, strict=True)
    changed = next(copied for own, copied in pairs if own is op)
    assert isinstance(changed, LayerOp)
    before = {each.op for each in contradictions(copy)}
    assumption.increment(changed)
    infer(copy)
    return any(type(each.op).WEIGHTS and each.op not in before for each in contradictions(copy))


def _spans_static_extent(op: LayerOp, name: str, model: ExportedModel) -> bool:
    """Whether a window is as large as the static extent of its axis."""
    extents = model.of(op.operands[0]) if op.operands else None
    letters = AXES.get(len(extents)) if extents is not None else None
    axis = name.removeprefix("kernel_")
    if extents is None or letters is None or axis not in letters:
        return False
    return extents[list(letters).index(axis)] == getattr(op, name)


def _check_extra(op: LayerOp, model: ExportedModel, known: ExtentFormulas) -> None:
    """Check the integers among the parameters that a layer's type does not declare: those of a
    custom layer, or of a newer release."""
    extra: Mapping[str, Attribute] = {} if op.extra is None else op.extra.data
    for key, attr in extra.items():
        for value in _integers_of(attr):
            if value > 1 and (found := known.of_parameter(value)):
                _refuse(model, op, f"parameter {key} of {value}", found)


def _integers_of(attr: Attribute) -> Iterator[int]:
    match attr:
        case IntegerAttr():
            yield cast(Any, attr).value.data
        case DenseArrayBase():
            values: Sequence[Any] = cast(Any, attr).get_values()
            yield from (value for value in values if isinstance(value, int))
        case ArrayAttr():
            for each in cast(Sequence[Attribute], attr.data):
                yield from _integers_of(each)
        case _:
            pass


# -- values


def _own_extents(op: LayerOp, model: ExportedModel) -> list[Numbers]:
    """Return the numbers of the dynamic extents of a layer's operands."""
    found: dict[Numbers, None] = {}
    for value in op.operands:
        for n in model.of(value) or ():
            if isinstance(n, ExtentTerm) and (numbers := model.numbers_of(n)) is not None:
                found[numbers] = None
    return list(found)


def _check_floats(op: LayerOp, model: ExportedModel, known: ExtentFormulas) -> None:
    if isinstance(op, ClipOp) and (op.min, op.max) in ACTIVATIONS:
        return
    own = _own_extents(op, model)
    for name, param in type(op).PARAMS.items():
        if not isinstance(param, Param) or name not in COMPUTED:
            continue
        value = getattr(op, name)
        identity = isinstance(op, PowerOp) and op.scale == op.power == 1 and not op.shift
        # An identity remains only if its factor was computed.
        default = None if identity else param.default_for(op)
        for each in cast(Sequence[Any], value if isinstance(value, tuple) else (value,)):
            if isinstance(each, float) and each != default and (f := known.of_value(each, own)):
                _refuse(model, op, f"{name} of {each:g}", f[min(f)])


def _check_constants(op: LayerOp, model: ExportedModel, known: ExtentFormulas) -> None:
    """Check the values and extents of the constants that a layer reads as blobs."""
    for value in op.data_operands():
        constant = constant_of(value)
        if constant is None or constant in model.new_constants:
            continue
        shape = static_shape_of(value) or ()
        for axis, n in enumerate(shape):
            if (f := known.of_integer(n)) and not _is_forced(op, value, axis, shape, model):
                _refuse(model, op, f"constant of extent {n} along axis {axis}", f)
        if not constant.has_values():
            continue
        for each in few_values(constant.read()):
            if f := known.of_value(float(each), _own_extents(op, model)):
                label = constant if constant.layer_name is not None else op
                _refuse(model, label, f"value {each:g}", f[min(f)])


def few_values(values: NDArray[Any]) -> Sequence[float]:
    """Return the different values of a constant; an empty sequence if it has many."""
    for part in (values.reshape(-1)[:64], values):  # a large table is not read
        found = np.unique(part.astype("f8"))
        if len(found) > MAX_VALUES:
            return []
    return found.tolist()


def _is_forced(op: LayerOp, value: SSAValue, axis: int, shape: Shape, model: ExportedModel) -> bool:
    """Whether static extents of other operands require this extent of a constant, or it does not
    affect the results."""
    operands: list[Extents | None] = [model.of(v) for v in op.operands]
    place = list(op.operands).index(value)
    larger = (*shape[:axis], shape[axis] + 1, *shape[axis + 1 :])
    others = [*operands[:place], larger, *operands[place + 1 :]]
    if op.contract_violation(operands) is None and op.contract_violation(others) is not None:
        return True
    if isinstance(op, ReshapeOp) and not op.asks_for_same(others, operands):
        return False
    return provably_equal(op.infer_shapes(others), op.infer_shapes(operands))
