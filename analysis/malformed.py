"""Layers that the runtime runs without an error, whatever the shapes of their inputs are, and that
do not compute what their parameters and inputs state."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import BlockArgument, OpResult, SSAValue

from ..dialects.ncnn.function import input_name
from ..dialects.ncnn.layer import LayerOp
from .element_sizes import ElementSizes, constant_behind, stored_bytes

if TYPE_CHECKING:  # a model does not pay for layer types that it lacks
    from ..dialects.ncnn.attention import Attention
    from ..dialects.ncnn.structure import InputOp

SEQUENCES = 3
"""The largest number of inputs of an attention before its mask."""


@dataclass(frozen=True)
class Malformed:
    """A malformed layer."""

    op: LayerOp
    problem: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.op.label()} {self.problem}"


def malformed(func: FuncOp) -> Iterator[Malformed]:
    """Yield the malformed layers of a model, in program order."""
    sizes = ElementSizes()
    for op in func.body.block.ops:
        if not isinstance(op, LayerOp):
            continue
        if op.LAYER_TYPE in ("SDPA", "MultiHeadAttention"):
            attention = cast("Attention", op)
            yield from _inputs(attention)
            yield from _mask(attention, sizes)
            yield from _cache(func, attention)


def _inputs(op: "Attention") -> Iterator[Malformed]:
    read = SEQUENCES + bool(op.attn_mask) + 2 * bool(op.kv_cache)
    ignored = len(op.inputs) - read
    if ignored > 0 and (op.LAYER_TYPE == "SDPA" or not op.kv_cache):
        if op.attn_mask or ignored > 1:
            what, remedy = "past keys and values", "7=1 reads them as a cache, with 3 outputs"
        else:
            what, remedy = "a mask", "5=1 reads it as a mask"
        yield Malformed(
            op, f"has {len(op.inputs)} inputs and reads {read}: it ignores {what}", remedy
        )


def _mask(op: "Attention", sizes: ElementSizes) -> Iterator[Malformed]:
    """Yield a mask of elements that are not float32. (`misreads` yields constants of bytes.)"""
    if not op.attn_mask:
        return
    mask = op.inputs[len(op.sequences(op.inputs))]
    size, producer = stored_bytes(mask, sizes), mask.owner
    if size != 4 and isinstance(producer, LayerOp) and constant_behind(mask) is None:
        yield Malformed(
            op,
            f"adds the mask of {producer.label()} as float32, and its elements have {size} byte"
            f"{'s' * (size > 1)}",
            "a mask is float32: 0, and a large negative number where it hides a key; a Cast to "
            "float32 (1=1) converts it",
        )


def _cache(func: FuncOp, op: "Attention") -> Iterator[Malformed]:
    own = op.LAYER_TYPE == "SDPA" or len(op.sequences(op.inputs)) == 1
    if not op.kv_cache or not own:
        return  # the cache of cross-attention stays the same
    caches = zip(op.past(op.inputs), op.outputs[1:], ("keys", "values"), strict=False)
    for past, every, what in caches:
        name = _input_behind(func, past)
        if name is not None and not any(isinstance(u.operation, ReturnOp) for u in every.uses):
            yield Malformed(
                op,
                f"reads past {what} from the input '{name}', and no output of the model returns "
                f"all {what}",
                "return them, for the next call: --keep-blob BLOB",
            )


def _input_behind(func: FuncOp, value: SSAValue) -> str | None:
    if isinstance(value, OpResult) and isinstance(layer := value.op, LayerOp):
        if layer.LAYER_TYPE == "Input":
            value = cast("InputOp", layer).inputs[value.index]
    return input_name(func, value.index) if isinstance(value, BlockArgument) else None
