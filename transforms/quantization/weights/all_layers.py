"""All layers of a model, one after the other."""

from collections.abc import Mapping, Sequence

from xdsl.dialects.func import FuncOp

from ....analysis.required_release import release_for, release_of_param
from ....analysis.target_info.releases import BLOCKS
from ....dialects.ncnn.layer import LayerOp
from ....dialects.ncnn.quantization import BlockQuantization, BlockWeights, DynamicInt8
from ...rewriting.remarks import remark
from ..layer_weights import put
from ..quantize_weights import QuantizeWeights
from .block_layout import in_blocks, matrices_of
from .rows import TERM, in_int8
from .scaled_integers import CLIPPINGS, Array, Unfit, quantize_blocks


def quantize(func: FuncOp, options: QuantizeWeights) -> None:
    """What `QuantizeWeights` says, by a method that looks at nothing but weights."""
    for op in _wanted(func, options):
        _quantize(op, options)


def calibrate(
    func: FuncOp, options: QuantizeWeights, samples: Sequence[Mapping[str, Array]]
) -> None:
    """What `QuantizeWeights` says, by a method that looks at what matrices are multiplied by.
    Raises `PassFailedException` for samples that are none of this model."""
    from .layer_inputs import quantize_seen, visit_layers

    block = BlockQuantization(options.bits, options.block, False)

    def visit(op: LayerOp, inputs: Sequence[Sequence[Array]]) -> None:
        try:
            matrices = matrices_of(op, options.bits)
            packed = quantize_seen(op, matrices, inputs, block, options.method)
            put(op, in_blocks(op, block, packed))
        except Unfit as e:
            _stays(op, str(e))
        else:
            _done(op, options)

    visit_layers(func, _wanted(func, options), samples, visit)


def _wanted(func: FuncOp, options: QuantizeWeights) -> list[LayerOp]:
    """The layers that are to be quantized if they can be."""
    layers = [op for op in func.body.block.ops if isinstance(op, DynamicInt8)]
    return [op for op in layers if isinstance(op, LayerOp) and _is_wanted(op, options)]


def _is_wanted(op: LayerOp, options: QuantizeWeights) -> bool:
    """Whether a layer is to be quantized, by what it is; a remark says it where it is not."""
    assert isinstance(op, DynamicInt8)
    if options.block and not isinstance(op, BlockWeights):
        return False
    weights = op.weight_operands()
    has_weights = any(weights[name] is not None for name in op.int8_scales())
    if not has_weights and (options.block or not options.products):
        return False
    if getattr(op, op.INT8_BY):
        _stays(op, "it is quantized already", "as it is")
        return False
    release = release_for(op)
    first = BLOCKS if options.block else release_of_param(type(op), op.INT8_BY)
    if release is not None and first > release:
        _stays(op, f"such integers require ncnn {first}")
        return False
    if op.layer_name is not None and op.layer_name.data in options.keep:
        _stays(op, "it is to be kept")
        return False
    return True


def _quantize(op: LayerOp, options: QuantizeWeights) -> None:
    shares = CLIPPINGS[options.method]
    try:
        if options.block:
            block = BlockQuantization(options.bits, options.block, False)
            matrices = matrices_of(op, options.bits)
            packed = {n: quantize_blocks(w, block, shares) for n, w in matrices.items()}
            put(op, in_blocks(op, block, packed))
        elif (new := in_int8(op, shares)) is not None:
            put(op, new)
        else:
            assert isinstance(op, DynamicInt8)
            op.set_params(**{op.INT8_BY: TERM})
            remark(QuantizeWeights.name, op.label(), note="multiplies blobs in int8")
            return
    except Unfit as e:
        _stays(op, str(e))
    else:
        _done(op, options)


def _stays(op: LayerOp, reason: str, state: str = "float") -> None:
    remark(QuantizeWeights.name, op.label(), note=f"stays {state}: {reason}")


def _done(op: LayerOp, options: QuantizeWeights) -> None:
    blocks = f" in blocks of {options.block}" if options.block else ""
    remark(QuantizeWeights.name, op.label(), note=f"weights of {options.bits} bits{blocks}")
