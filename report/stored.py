"""The weights of a layer as they are stored in a `.bin`."""

from collections.abc import Iterator
from dataclasses import dataclass

from ..dialects.ncnn.blob import element_count
from ..dialects.ncnn.constant import ConstantOp, constant_of
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.quantization import block_quantization
from ..formats.weight_storage import BinEncoding, WeightStorage
from ..targets.param.weights import slot_bytes, stored_as
from .weight_statistics import ValueStatistics, sample


@dataclass(frozen=True)
class StoredWeight:
    """One weight in a `.bin`."""

    storage: str
    """`float32`, `float16`, `bfloat16`, `int8`, `table` (float32 by index), or `int4`, `int6` and
    `int8 blocks`."""
    count: int
    """The number of elements."""
    nbytes: int
    """The size in bytes, including its tag and padding."""
    name: str = ""
    """The layer's name for it."""
    values: ValueStatistics | None = None
    """Statistics of its values, if they were requested and there are values."""


def stored_weights(op: LayerOp, look: bool = False) -> Iterator[StoredWeight]:
    """Yield the weights of a layer in the order of the `.bin`; with `look` also statistics of their
    values. Raise `WeightError` if the values cannot be read."""
    if isinstance(op, ConstantOp):
        yield _stored_weight(op, op, op.encoding(), element_count(op.output), "data", look)
        return
    slots, values = op.weight_slots(), op.weight_operands()
    for name, count in op.weight_sizes().items():
        constant = constant_of(values[name])
        if constant is not None:
            yield _stored_weight(op, constant, slots[name].encoding(op), count, name, look)


def _stored_weight(
    op: LayerOp, constant: ConstantOp, encoding: BinEncoding, count: int, name: str, look: bool
) -> StoredWeight:
    storage = stored_as(constant)
    if not storage.fits(encoding):
        word = WeightStorage.FLOAT32.word  # the writer stores it as float32
    elif encoding == "packed" and op is not constant:
        block = block_quantization(getattr(op, "quantize_term", 0))
        word = f"int{8 if block is None else block.bits} blocks"
    else:
        word = storage.word
    # If several values share a byte, the stored bytes are not the values.
    has_values = encoding != "packed" or word.startswith("int8")
    values = sample(constant) if look and has_values else None
    return StoredWeight(word, count, slot_bytes(constant, encoding), name, values)
