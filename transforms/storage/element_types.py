"""Conversion of weights to another storage type, wherever the file format allows it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    ModuleOp,
    TensorType,
    f16,
    f32,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, Use
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.custom import CustomOp
from ...dialects.ncnn.function import update_type
from ...dialects.ncnn.interfaces import LinearProducer
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.weights import (
    ELEMENT_TYPES,
    RandomAttr,
    Weight,
    WeightAttr,
    make_weight,
    rounded,
)
from ...dialects.xdsl_extras.spelling import nearest
from ...formats.weight_storage import SliceLayout, WeightStorage
from ..canonicalization.precision import fits_float16
from ..canonicalization.rounding_offsets import compensate_rounding
from ..rewriting.remarks import RemarkKind, remark
from .convert_storage import ROUNDING_CENTER, STORED, ConvertStorage

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[Any]

STEM, HEAD = "stem", "head"
"""The first layers with weights behind an input, and the last ones before an output."""

_Stored: TypeAlias = tuple[Weight, TensorType[Attribute]]

_SMALLEST_NORMAL = 2.0**-14
"""Below this magnitude, float16 loses a bit with each halving."""
_TABLE_SIZE = 1024
"""Up to this number of elements, a table of 256 float32 values with one byte per element is not
smaller than float16."""
_CHUNK = 1 << 20
"""The number of elements that are converted at a time."""


def convert(module: ModuleOp, storage: str, of: Sequence[str] = ()) -> None:
    """Store float weights as `fp16`, `bf16` or `fp32`, some layers in their own storage
    (`ConvertStorage`). Raise `PassFailedException` for a pattern that matches no layer."""
    choice = LayerStorage(storage, of, [op for op in module.walk() if isinstance(op, LayerOp)])
    for constant in [c for c in module.walk() if isinstance(c, ConstantOp)]:
        places = [_Place.of(use) for use in constant.output.uses]
        tagged = [place for place in places if place.has_tag]
        if not tagged:
            continue
        in_place = len(tagged) == len(places)
        if not in_place and any(place.slot is None for place in tagged):
            continue  # a MemoryData that another layer reads as a weight without a tag
        wanted = {choice.of_layer(place.layer()) for place in tagged}
        one = len(wanted) == 1
        chosen = WeightStorage.of_option(wanted.pop()) if one else WeightStorage.FLOAT32
        new = None if chosen is None else _converted(constant, tagged[0], chosen)
        if new is not None:
            _put(constant, None if in_place else tagged, *new)
    for func in [f for f in module.walk() if isinstance(f, FuncOp)]:
        update_type(func)


class LayerStorage:
    """The storage of each layer."""

    def __init__(self, default: str, of: Sequence[str], layers: Sequence[LayerOp]) -> None:
        """`of` are texts `PATTERN=STORAGE`. Raise `PassFailedException` for a pattern that matches
        no layer."""
        self.default = default
        self.rules: list[tuple[set[LayerOp], str]] = []
        for pattern, _, storage in (text.rpartition("=") for text in of):
            matched = {
                op for op in layers if any(fnmatchcase(word, pattern) for word in _words(op))
            }
            if not matched and pattern in (STEM, HEAD):
                matched = _layers_in_role(pattern, layers)
            if not matched:
                names = [w for op in layers for w in _words(op)]
                hint = nearest(pattern, list(dict.fromkeys(names)))
                raise PassFailedException(
                    f"--storage-of {pattern}={storage}: no layer has this type or name{hint}"
                )
            self.rules.append((matched, storage))

    def of_layer(self, op: LayerOp) -> str:
        """Return the storage of a layer: of the last pattern that matches it."""
        found = [storage for matched, storage in self.rules if op in matched]
        return found[-1] if found else self.default


def _words(op: LayerOp) -> list[str]:
    """Return the type and the name of a layer; nothing for a weight."""
    if isinstance(op, ConstantOp) and op.layer_name is None:
        return []
    type_ = op.type.data if isinstance(op, CustomOp) else op.LAYER_TYPE
    return [type_] if op.layer_name is None else [type_, op.layer_name.data]


def _layers_in_role(role: str, layers: Sequence[LayerOp]) -> set[LayerOp]:
    """Return the layers with a role: from the inputs (`stem`), or back from the outputs (`head`),
    the first layers with weights on each path."""
    found: set[LayerOp] = set()
    seen: set[Operation] = set()
    waiting = list(_ends(role, layers))
    while waiting:
        op = waiting.pop()
        if op in seen:
            continue
        seen.add(op)
        if isinstance(op, LayerOp) and any(v is not None for v in op.weight_operands().values()):
            found.add(op)
        elif role == STEM:
            waiting += (use.operation for result in op.results for use in result.uses)
        else:
            waiting += _preceding(op)
    return found


def _ends(role: str, layers: Sequence[LayerOp]) -> Iterable[Operation]:
    """Return the operations at the inputs or the outputs of the models of some layers."""
    functions = {func for op in layers if isinstance(func := op.parent_op(), FuncOp)}
    for func in functions:
        if role == STEM:
            yield from (use.operation for arg in func.body.block.args for use in arg.uses)
        elif func.body.block.last_op is not None:
            yield from _preceding(func.body.block.last_op)


def _preceding(op: Operation) -> list[Operation]:
    owners = (value.owner for value in op.operands)
    return [
        each for each in owners if isinstance(each, LayerOp) and not isinstance(each, ConstantOp)
    ]


def restore(marked: Iterable[Operation]) -> None:
    """Round weights that passes computed from 16-bit weights to 16 bits (`ConvertStorage`)."""
    for constant in marked:
        assert isinstance(constant, ConstantOp)
        element = constant.attributes.pop(STORED)
        places = [_Place.of(use) for use in constant.output.uses]
        if not places or not all(place.has_tag for place in places):
            continue
        type_ = TensorType(element, cast(TensorType[Attribute], constant.output.type).get_shape())
        values = constant.read()
        if element == f16 and not fits_float16(values):
            reason = f"{element} would not hold it as well as before"
            places[0].remark(f"stays f32: {reason}", "refused")
            continue
        places[0].remark(f"{element} again, rounded once")
        if ROUNDING_CENTER in constant.attributes:
            lost = values.astype("f8") - rounded(values, type_)
            for place in places:
                if isinstance(place.use.operation, LinearProducer):
                    compensate_rounding(place.use.operation, constant, lost)
        _put(constant, None, make_weight(values, type_), type_)


def _converted(constant: ConstantOp, place: "_Place", storage: WeightStorage) -> _Stored | None:
    """Return the weight in the other storage type; `None` if it stays as it is."""
    type_ = cast(TensorType[Attribute], constant.output.type)
    element, value = type_.element_type, constant.value
    if not isinstance(element, Float16Type | Float32Type | BFloat16Type):
        return None
    table = isinstance(value, WeightAttr) and value.data.layout is SliceLayout.TABLE
    wanted = TensorType(ELEMENT_TYPES[storage], type_.get_shape())
    if not constant.has_values() or (element == wanted.element_type and not table):
        return None
    before = "a table" if table else str(element)
    if storage is WeightStorage.FLOAT32:
        place.remark(f"f32 now, was {before}", "routine")
        return make_weight(constant.read(), wanted), wanted
    if table and prod(type_.get_shape()) > _TABLE_SIZE:
        return None
    if isinstance(value, RandomAttr) and element == f32:
        place.remark(f"{wanted.element_type} now, was {before}", "routine")
        return value, wanted  # random values fit into 16 bits; reading them rounds them
    values = constant.read()
    half = to_float16(values) if storage is WeightStorage.FLOAT16 else to_bfloat16(values, wanted)
    if half.values is None:
        place.remark(f"stays {before}: {half.note}", "refused")
        return None
    note = f"; {half.note}" if half.note else ""
    words = f"{wanted.element_type} now, was {before}{note}"
    place.remark(words, "done" if note else "routine")
    return make_weight(half.values, wanted), wanted


@dataclass(frozen=True)
class Half:
    """The result of a conversion to 16 bits."""

    values: "Array | None"
    """The values; `None` if 16 bits cannot hold them."""
    note: str
    """The reason for `None`, or the loss; empty if there is neither."""


def to_float16(values: "Array") -> Half:
    """Round values to the nearest float16, ties to even. The result has no values if a finite value
    would become infinite, or if the largest one is below 2^-14 and would lose too many bits."""
    import numpy as np

    flat = values.reshape(-1)
    half = np.empty(flat.shape, "<f2")
    largest, too_large, vanished = 0.0, 0, 0
    for i in range(0, flat.size, _CHUNK):
        part = np.asarray(flat[i : i + _CHUNK], "f4")
        finite = np.isfinite(part)
        with np.errstate(over="ignore", under="ignore"):
            half[i : i + _CHUNK] = part
        rounded = half[i : i + _CHUNK]
        too_large += int((finite & ~np.isfinite(rounded)).sum())
        vanished += int(((part != 0) & (rounded == 0)).sum())
        largest = max(largest, float(np.abs(part[finite]).max(initial=0)))
    if too_large:
        return Half(None, f"{_values(too_large)} of up to {largest:.3g} would become infinite")
    if 0 < largest < _SMALLEST_NORMAL:
        return Half(None, f"the largest value is {largest:.3g}, too few bits would be left")
    note = f"{_values(vanished)} of {flat.size} became 0" if vanished else ""
    return Half(half.reshape(values.shape), note)


def to_bfloat16(values: "Array", type_: TensorType[Attribute]) -> Half:
    """Round values to the nearest bfloat16, ties to even. The result has no values if a finite
    value would become infinite."""
    import numpy as np

    exact = np.asarray(values, "f4")
    half = rounded(exact, type_)
    too_large = int((np.isfinite(exact) & ~np.isfinite(half)).sum())
    if too_large:
        largest = np.abs(exact[np.isfinite(exact)]).max()
        return Half(None, f"{_values(too_large)} of up to {largest:.3g} would become infinite")
    return Half(half, "")


def _values(count: int) -> str:
    return "1 value" if count == 1 else f"{count} values"


@dataclass(frozen=True)
class _Place:
    """One use of a constant."""

    use: Use
    constant: ConstantOp
    slot: str | None
    """The name of the weight; `None` for a blob."""
    has_tag: bool
    """Whether the file has a tag for the storage type of this use."""

    @staticmethod
    def of(use: Use) -> "_Place":
        op, constant = use.operation, use.operation.operands[use.index].owner
        assert isinstance(constant, ConstantOp)
        if not isinstance(op, LayerOp) or op.weights_are_dynamic():
            return _Place(use, constant, None, _is_tagged_blob(constant))
        index = use.index - len(op.data_operands())
        if index < 0:
            return _Place(use, constant, None, _is_tagged_blob(constant))
        name = [name for name, value in op.weight_operands().items() if value is not None][index]
        slots = op.weight_slots()
        # By its parameters, a layer may have int8 or packed weights.
        terms = [slot.quantized_by for slot in slots.values() if slot.quantized_by]
        tagged = slots[name].encoding(op) == "tagged" and not any(getattr(op, t, 0) for t in terms)
        return _Place(use, constant, name, tagged)

    def layer(self) -> LayerOp:
        """Return the layer of the file with this weight: the reader, or a MemoryData."""
        op = self.use.operation
        return self.constant if self.slot is None or not isinstance(op, LayerOp) else op

    def remark(self, note: str, kind: RemarkKind = "done") -> None:
        """Emit a remark about the constant."""
        if self.slot is None:
            remark(ConvertStorage.name, self.constant.label(), note=note, kind=kind)
        else:
            label = cast(LayerOp, self.use.operation).label()
            note = f"weight '{self.slot}' {note}"
            remark(ConvertStorage.name, label, note=note, kind=kind)


def _is_tagged_blob(constant: ConstantOp) -> bool:
    """Whether a constant is a MemoryData layer that is written with a tag."""
    return constant.layer_name is not None and constant.encoding() == "tagged"


def _put(
    constant: ConstantOp, places: Sequence[_Place] | None, value: Weight, type_: TensorType[Any]
) -> None:
    """Replace the value and the type of a constant; with `places`, only for these uses."""
    if places is None:
        constant.value = value
        Rewriter.replace_value_with_new_type(constant.output, type_)
        return
    new = ConstantOp.of(value, type_)
    new.output.name_hint = constant.output.name_hint
    Rewriter.insert_op(new, InsertPoint.after(constant))
    for place in places:
        place.use.operation.operands[place.use.index] = new.output
