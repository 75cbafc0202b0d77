"""What layers cost in the runtime, for rewrites that trade one form for another.

`dialects/ncnn/cost.py` counts the operations and the bytes of a layer (`ncnn-report` prints them).
The tables of `analysis/target_info/` hold the time per operation and per byte. This module has no
numbers of its own. The unit of time is that of `Rates`.

A roofline would take the larger of computing and moving; ncnn's layers do one after the other more
often than not, so here they are added.
"""

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ..dialects.ncnn.blob import static_shape_of
from ..dialects.ncnn.convolution import Grouped
from ..dialects.ncnn.cost import blob_bytes, total
from ..dialects.ncnn.layer import LayerOp
from ..dialects.shapes.terms import Extent
from .target_info import Processor
from .tuning import processors_for

FLOAT_BYTES = 4


def cost(layer: LayerOp, processor: Processor) -> float | None:
    """The time of one run of a layer, with that of bringing its inputs into the layout that it
    takes; `None` if shapes are not known.

        layer + compute * (MACs + …) + byte * (read + written + weights) + converted

    - Without code for vectors (`Code.vectors`), or in groups of channels that are not kept
      together, an operation takes `plain` and a byte `plain_byte`.
    - Where the processor keeps blobs as float16 and the layer takes such, bytes are half.
    - An input that comes packed to a layer that takes no packed blobs is unpacked, and the other
      way round, and the same with float16: each of its bytes is read and written once more.
    - What hands its inputs on is a layer and no more.
    """
    rates, code = processor.rates, processor.code_of(layer.LAYER_TYPE)
    if layer.only_forwards():
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
        computed = rates.plain * (macs + flops) + rates.plain_byte * (moved + weights)
    return rates.layer + computed + rates.byte * converted


def pays(before: Sequence[LayerOp], after: Sequence[LayerOp], of: LayerOp | None = None) -> bool:
    """Whether some layers of the model may go for others: that it is faster on all processors that
    it is made for. With `--tune none` there are none to ask, so that it may. `of`: a layer of the
    model, where those before are none but say what is reckoned with.

    Layers behind, which may have to unpack or pack what they read only before or only after, belong
    into both.
    """
    for processor in processors_for(of or before[0]):
        old, new = (_sum(layers, processor) for layers in (before, after))
        if old is None or new is None or new >= old:
            return False
    return True


def pays_joined(layer: LayerOp, parts: Extent, moved: Extent) -> bool:
    """Whether a layer that does its work in so many parts, one after the other, may do it at once
    between two layers that move so many bytes for each part: that it is certainly faster on all
    processors that the model is made for. The work is the same; what a layer takes before it begins
    it takes for each part. A number that depends on the extents of inputs counts as many."""
    if not isinstance(moved, int):
        return False
    for processor in processors_for(layer):
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
    """Whether it computes groups whose channels are not kept together."""
    least = processor.lanes.least
    return isinstance(layer, Grouped) and bool(layer.group % least or layer.num_output % least)


def _converted(layer: LayerOp, processor: Processor) -> int | None:
    """Bytes read and written for inputs that come otherwise than the layer takes them."""
    code = processor.code_of(layer.LAYER_TYPE)
    amount: int | None = 0
    for value in layer.data_operands():
        packs, half = _comes(value, processor)
        other = code.packs != packs and _may_be_packed(value, processor)
        if other or (processor.half.blobs and code.half != half):
            amount = total(amount, blob_bytes(value), blob_bytes(value))
    return amount


def _may_be_packed(value: SSAValue, processor: Processor) -> bool:
    shape = static_shape_of(value)
    return shape is None or shape[0] % processor.lanes.least == 0


def _comes(value: SSAValue, processor: Processor) -> tuple[bool, bool]:
    """Whether what makes it packs, and makes float16. Inputs of the model come as they were put
    in, constants as they are in the file."""
    maker = value.owner
    if not isinstance(maker, LayerOp):
        return False, False
    code = processor.code_of(maker.LAYER_TYPE)
    return code.packs, code.half
