"""Matrices as packed integers in blocks, the format of Gemm and MultiHeadAttention.

A row of k elements takes `ceil(k * bits / 8)` bytes, the first element in the lowest bits. Each
block of 32, 64 or 128 elements has a float32 scale; the last block may be shorter. All matrices of
a MultiHeadAttention have the same bits and block size. (`load_model` and
`forward_weight_block_quantize` of ncnn's `src/layer/gemm.cpp` and `multiheadattention.cpp`;
`tools/quantize/ncnnllm_quant.h`.)

The runtime multiplies floats by integers of 4 and 6 bits. With 8 bits it also quantizes the blocks
of the input, each by its largest value.
"""

from collections.abc import Mapping

from ....dialects.ncnn.layer import LayerOp
from ....dialects.ncnn.matmul import GemmOp
from ....dialects.ncnn.quantization import BlockQuantization, BlockWeights
from ..layer_weights import Array, Unfit, matrix_of, replace_weights
from .scaled_integers import Packed


def matrices_of(op: LayerOp, bits: int) -> dict[str, Array]:
    """Return the matrices of a layer, `rows x columns` with a column for each element of the input.
    A constant B of a Gemm that is not transposed is turned. Raises `Unfit`."""
    assert isinstance(op, BlockWeights)
    found = {name: matrix_of(op, name) for name in op.matrices()}
    matrices = {name: values for name, values in found.items() if values is not None}
    if not matrices:
        raise Unfit("none of its constants can be in blocks")
    turned = isinstance(op, GemmOp) and not op.transB
    if (refused := op.blocks_refusal(bits, turned)) is not None:
        raise Unfit(refused)
    if turned:
        matrices = {name: values.T for name, values in matrices.items()}
    return matrices


def put_blocks(op: LayerOp, block: BlockQuantization, matrices: Mapping[str, Packed]) -> None:
    """Store the matrices of a layer packed."""
    weights: dict[str, Array] = {}
    for name, packed in matrices.items():
        weights[name] = packed.bytes
        weights[f"{name}_quantize_scales"] = packed.scales
        if packed.input_scales is not None:
            weights[f"{name}_input_scales"] = packed.input_scales
    scaled = any(packed.input_scales is not None for packed in matrices.values())
    term = BlockQuantization(block.bits, block.block_size, scaled).term
    params = {"quantize_term": term}
    if isinstance(op, GemmOp):
        params["transB"] = 1
    replace_weights(op, weights, params, {name: name for name in weights})
