"""The number of bytes that rewrites add to the weights of a model, and its limit (`limit-growth`).

A pattern asks `Growth.is_allowed` when it has checked its other conditions, and calls
`Growth.record` when nothing can stop the rewrite any more. An attribute of the module holds the
recorded bytes: `widened` for weights that become float32 because float16 would round them, and
`added` for all other weights (`added` may be negative). `widened` depends only on the weights in
the module. A second run finds the widened weights in the file, and therefore widens no more of
them.

Example: a model has 400,000 bytes of float32 weights, and `limit-growth{percent=1}` allows 4,000
more. A rewrite that adds 2,000 bytes is made; `added` is 2,000. A rewrite that would add 3,000 is
refused: 2,000 are left. A rewrite that removes 1,500 bytes is always made; `added` is 500. The
refused rewrite is made if it is tried again: 500 + 3,000 is at most 4,000.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast

from xdsl.dialects.builtin import (
    DictionaryAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    f16,
    f32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.ncnn.constant import ConstantOp, constant_of
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.weights import WeightAttr, element_size, slice_bytes
from ...formats.weight_storage import SliceLayout
from ..storage.convert_storage import GROWTH, STORED
from .missed import BeyondGrowth, send_missed
from .remarks import Remark

if TYPE_CHECKING:
    from xdsl.pattern_rewriter import RewritePattern

NewWeight: TypeAlias = tuple[Any, SSAValue | None]
"""The values of a new weight, and the existing weight whose storage type it gets (`None` for
float32): see `new_weight`."""


class WeightSize(NamedTuple):
    """The size of weights in the `.bin` in bytes, without tags."""

    stored: int
    """The size if each weight that was computed from 16-bit weights had 16 bits again."""
    widened: int
    """The additional size of those of these weights that are float32."""


def set_limit(module: ModuleOp, percent: float, storage: str) -> None:
    """Limit the growth of a module's weights to `percent` percent. `storage` is the option of the
    `convert-storage` that ends the pipeline."""
    total, half, widened = 0, 0, 0
    for constant, tagged in _stored(module):
        type_ = cast(TensorType[Attribute], constant.output.type)
        total += _aligned(_slice_bytes(constant))
        if tagged and type_.element_type == f32:
            widened += _aligned(_slice_bytes(constant)) - _aligned(2 * prod(type_.get_shape()))
        half += tagged and element_size(type_) == 2
    limit = int((total - widened) * percent / 100)
    if not half or widened > limit:
        limit, widened = int(total * percent / 100), 0
    _record(module, limit, widened, 0, storage)


@dataclass(frozen=True)
class Growth:
    """The bytes that a rewrite adds to the weights of a model. To ask whether the limit allows them
    changes nothing: a pattern that asks and then gives up adds nothing."""

    module: ModuleOp | None
    """The module, if its growth is limited."""
    added: int = 0
    widened: int = 0
    overflows: bool = False
    """Whether float16 represents the old vectors, and does not represent the new ones."""

    @classmethod
    def of(cls, layer: LayerOp, added: int) -> "Growth":
        """Return the growth of a rewrite of this layer that adds this number of bytes."""
        return cls(_module_of(layer), added)

    @classmethod
    def of_replacing(
        cls, layer: LayerOp, gone: Iterable[SSAValue | None], made: Iterable[NewWeight]
    ) -> "Growth":
        """Return the growth of a rewrite of this layer that replaces the weights `gone` by the
        weights `made` (see `constants_freed_by` for the weights of a removed layer)."""
        from ..canonicalization.precision import overflows_float16

        made, module = list(made), _module_of(layer)
        constants = [c for v in gone if (c := constant_of(v)) is not None]
        if overflows_float16(
            (values for values, _ in made), lambda: (c.read() for c in constants if c.has_values())
        ):
            return cls(module, overflows=True)
        if module is None:
            return cls(None)
        storage = cast(StringAttr, _limit_of(module)["storage"]).data
        old = [_bytes_of(constant, storage) for constant in constants]
        new = [_bytes_for(values, like, storage) for values, like in made]
        added = sum(b.stored for b in new) - sum(b.stored for b in old)
        widened = sum(b.widened for b in new) - sum(b.widened for b in old)
        return cls(module, added, widened)

    def is_allowed(
        self, pattern: "RewritePattern", *layers: LayerOp, new: type[LayerOp] | None = None
    ) -> bool:
        """Whether float16 represents the new vectors if it represents the old ones
        (`overflows_float16`), and the weights do not grow too much. If they would, send the missed
        rewrite to the observers. The arguments have the same meaning as for `emit_remark`."""
        if self.module is None or self.overflows:
            return not self.overflows
        limit, before, other = _numbers_of(self.module)
        growth = self.added + self.widened
        exceeds = growth > 0 and before + other + growth > limit
        if exceeds or (self.widened > 0 and before + self.widened > limit):
            left = max(0, limit - before - max(0, other))
            why = f"it would add {growth:,} bytes to the weights, and the limit leaves {left:,}"
            send_missed(BeyondGrowth(pattern, layers, new, why))
            return False
        return True

    def record(self) -> None:
        """Add the bytes to those in the attribute of the module."""
        if self.module is not None:
            limit, before, other = _numbers_of(self.module)
            storage = cast(StringAttr, _limit_of(self.module)["storage"]).data
            _record(self.module, limit, before + self.widened, other + self.added, storage)


def constants_freed_by(op: LayerOp) -> Iterator[SSAValue]:
    """Yield the constants that become unused if a layer is removed: its weights, and the constant
    blobs that no other layer reads."""
    blobs = len(op.data_operands())
    for index, value in enumerate(op.operands):
        if index >= blobs or all(use.operation is op for use in value.uses):
            yield value


def still_applicable(refused: Iterable[Remark], module: ModuleOp) -> dict[str, Remark]:
    """Return the refused rewrites whose layers all still exist, by the last layer of each."""
    labels = {op.label() for op in module.walk() if isinstance(op, LayerOp)}
    return {each.layers[-1]: each for each in refused if labels.issuperset(each.layers)}


def _module_of(op: Operation) -> ModuleOp | None:
    """Return the module of an operation, if its growth is limited."""
    parent: Operation | None = op
    while parent is not None and not isinstance(parent, ModuleOp):
        parent = parent.parent_op()
    return parent if parent is not None and GROWTH in parent.attributes else None


def _limit_of(module: ModuleOp) -> dict[str, Attribute]:
    return cast(DictionaryAttr, module.attributes[GROWTH]).data  # pyright: ignore


def _numbers_of(module: ModuleOp) -> tuple[int, int, int]:
    """Return the limit and the bytes `widened` and `added` that are recorded in a module."""
    limit, widened, added = (
        cast(IntegerAttr, _limit_of(module)[key]).value.data
        for key in ("limit", "widened", "added")
    )
    return limit, widened, added


def _record(module: ModuleOp, limit: int, widened: int, added: int, storage: str) -> None:
    numbers = {"limit": limit, "widened": widened, "added": added}
    attributes: dict[str, Attribute] = {k: IntegerAttr(n, i64) for k, n in numbers.items()}
    module.attributes[GROWTH] = DictionaryAttr({**attributes, "storage": StringAttr(storage)})


def _stored(module: ModuleOp) -> Iterator[tuple[ConstantOp, bool]]:
    """Yield each constant of a module, once for each copy in the `.bin`, and whether that copy has
    a tag, so that its storage type may change."""
    as_weights = Counter[ConstantOp]()
    for op in module.walk():
        if isinstance(op, LayerOp) and not op.weights_are_dynamic():
            slots = op.weight_slots()
            for name, value in op.weight_operands().items():
                if (constant := constant_of(value)) is not None:
                    as_weights[constant] += 1
                    yield constant, slots[name].encoding(op) == "tagged"
    for op in module.walk():
        if isinstance(op, ConstantOp) and len(list(op.output.uses)) > as_weights[op]:
            yield op, False


def _bytes_of(constant: ConstantOp, storage: str) -> WeightSize:
    """Return the size of an existing weight."""
    type_ = cast(TensorType[Attribute], constant.output.type)
    stored = constant.attributes.get(STORED)
    if stored is None:
        return WeightSize(_aligned(_slice_bytes(constant)), 0)
    return _widened(constant.read() if storage == "original" else None, type_, stored, storage)


def _bytes_for(values: Any, like: SSAValue | None, storage: str) -> WeightSize:
    """Return the size of the weight that `new_weight` creates from these values."""
    from ..canonicalization.rewriting import is_exact, stored_as

    stored = f32 if like is None else stored_as(like)
    type_ = TensorType(stored, values.shape)
    if stored == f32 or is_exact(values.astype("f4", copy=False), stored):
        return WeightSize(_aligned(slice_bytes(SliceLayout.PLAIN, type_)), 0)
    return _widened(values, type_, stored, storage)


def _widened(
    values: Any, type_: TensorType[Attribute], stored: Attribute, storage: str
) -> WeightSize:
    """Return the size of a weight that 16 bits would round."""
    short, long = (_aligned(each * prod(type_.get_shape())) for each in (2, 4))
    is_wide = storage == "keep"
    if storage == "original":
        from ..canonicalization.precision import fits_float16

        is_wide = stored == f16 and not fits_float16(values)
    return WeightSize(short, long - short if is_wide else 0)


def _slice_bytes(constant: ConstantOp) -> int:
    value, type_ = constant.value, cast(TensorType[Attribute], constant.output.type)
    return slice_bytes(
        value.data.layout if isinstance(value, WeightAttr) else SliceLayout.PLAIN, type_
    )


def _aligned(nbytes: int) -> int:
    """Return a number of bytes, rounded up to a multiple of 4."""
    return nbytes + -nbytes % 4
