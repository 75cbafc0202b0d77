"""The cost of layers in the runtime, for rewrites that replace one form by another.

`dialects/ncnn/cost.py` counts the operations and the bytes of a layer (`ncnn-report` prints them).
The tables in `analysis/target_info/` contain the time per operation and per byte. This module has
no numbers of its own. `Rates` defines the unit of time.

A roofline model takes the maximum of computation time and memory time. Most ncnn layers compute and
access memory one after the other, so this model adds the two times.
"""

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ..dialects.ncnn.blob import static_shape_of
from ..dialects.ncnn.convolution import Grouped
from ..dialects.ncnn.cost import blob_bytes, total
from ..dialects.ncnn.layer import LayerOp
from ..dialects.shapes.terms import Extent
from .target_info import Processor
from .tuning_facts import processors_for

FLOAT_BYTES = 4


def cost(layer: LayerOp, processor: Processor) -> float | None:
    """Return the time of one run of a layer, including the conversion of its inputs to the layout
    that it reads; `None` if shapes are unknown.

        layer + compute * (MACs + …) + byte * (read + written + weights) + converted

    - Without vector code (`Code.vectors`), or with groups of channels that are not packed, an
      operation takes `scalar_op` and a byte takes `scalar_byte`.
    - If the runtime stores blobs as float16 and the layer supports float16, the bytes are halved.
    - A packed input is unpacked for a layer that does not support packing, and the reverse. The
      same holds for float16. Each byte of such an input is read and written once more.
    - A layer that only forwards its inputs costs `layer`.
    """
    rates, code = processor.rates, processor.code_of(layer.LAYER_TYPE)
    if layer.is_free():
        return rates.layer
    macs, flops = layer.macs(), layer.other_flops()
    moved, converted = (
        total(layer.bytes_read(), layer.bytes_written()),
        _converted(layer, processor),
    )
    if macs is None or flops is None or moved is None or converted is None:
        return None
    weights = FLOAT_BYTES * sum(layer.weight_sizes().values())
    if processor.half.blobs and code.half:
        moved, converted, weights = moved / 2, converted / 2, weights / 2
    elif layer.LAYER_TYPE in processor.half.weights:
        weights /= 2
    if code.vectors and not _is_apart(layer, processor):
        computed = macs + rates.flop * flops + rates.byte * (moved + weights)
    else:
        computed = rates.scalar_op * (macs + flops) + rates.scalar_byte * (moved + weights)
    return rates.layer + computed + rates.byte * converted


def is_profitable(
    before: Sequence[LayerOp], after: Sequence[LayerOp], of: LayerOp | None = None
) -> bool:
    """Whether replacing the layers `before` by the layers `after` is faster on all processors that
    the model is tuned for. With `--tune none` this always holds.

    `of` is a layer of the model, if the layers `before` are only estimates and not in the model.
    Both lists must contain later layers that unpack or pack their inputs in only one of the cases.
    """
    for processor in processors_for(of or before[0], "convolution-1d"):
        old, new = (_sum(layers, processor) for layers in (before, after))
        if old is None or new is None or new >= old:
            return False
    return True


def is_profitable_joined(layer: LayerOp, parts: Extent, moved: Extent) -> bool:
    """Whether it is provably faster, on all processors that the model is tuned for, to replace
    `parts` runs of a layer by one run between two layers that move `moved` bytes per part.

    The computation is the same. The replacement saves the layer's fixed cost for each part. A
    number of parts that depends on the extents of inputs counts as large.
    """
    if not isinstance(moved, int):
        return False
    for processor in processors_for(layer, "matmul"):
        rates = processor.rates
        gained = rates.layer - rates.byte * moved
        if gained <= 0 or (isinstance(parts, int) and parts * gained <= 2 * rates.layer):
            return False
    return True


def _sum(layers: Sequence[LayerOp], processor: Processor) -> float | None:
    costs = [cost(layer, processor) for layer in layers]
    known = [each for each in costs if each is not None]
    return sum(known) if len(known) == len(costs) else None


def _is_apart(layer: LayerOp, processor: Processor) -> bool:
    """Whether a layer computes groups whose channels are not packed."""
    least = processor.lanes.least
    return isinstance(layer, Grouped) and bool(layer.group % least or layer.num_output % least)


def _converted(layer: LayerOp, processor: Processor) -> int | None:
    """Return the bytes that are read and written to convert inputs to the layout of a layer."""
    code = processor.code_of(layer.LAYER_TYPE)
    amount: int | None = 0
    for value in layer.data_operands():
        packs, half = _layout_of(value, processor)
        other = code.packs != packs and _may_be_packed(value, processor)
        if other or (processor.half.blobs and code.half != half):
            amount = total(amount, blob_bytes(value), blob_bytes(value))
    return amount


def _may_be_packed(value: SSAValue, processor: Processor) -> bool:
    shape = static_shape_of(value)
    return shape is None or shape[0] % processor.lanes.least == 0


def _layout_of(value: SSAValue, processor: Processor) -> tuple[bool, bool]:
    """Whether a blob is packed, and whether it is float16. Inputs of the model and constants are
    neither."""
    producer = value.owner
    if not isinstance(producer, LayerOp):
        return False, False
    code = processor.code_of(producer.LAYER_TYPE)
    return code.packs, code.half
