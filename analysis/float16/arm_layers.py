"""Layers in float16 on a 64-bit arm processor with half-precision arithmetic (asimdhp), where their
code differs from the shaders.

- A layer type whose constructor does not set `support_fp16_storage` reads and writes float32
  (`target_info/arm.py`), for example Reduction and Permute.
- With float16 arithmetic, a sum is rounded after each product (a fused multiply-add).
- Normalizations compute in float32 with float32 weights, and so do poolings but for averages in
  windows.
- `exp` is computed for arguments up to `EXPONENT`, so it does not overflow.
- Winograd's algorithm needs float16 arithmetic; its tiles are larger.
- Attention consists of Gemms, which store projections and the products of queries and keys in
  float16 whatever the arithmetic is. Softmax, BinaryOp and UnaryOp always compute in float16.
- A layer without float16 storage (bit 1 of its feature mask) computes in float32, and misreads
  float16 blobs.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from xdsl.ir import SSAValue

from ...dialects.ncnn.convolution import ConvolutionOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.pooling import PoolingOp
from ...interpreters.ncnn import evaluate
from ..float32_storage import has_float32_storage
from ..target_info.arm import ARM
from .half_array import Arithmetic, Array
from .operands import is_quantized, weights_by_name
from .winograd import F23, F43, F63, Transforms, has_winograd_shape, winograd


class Fact(NamedTuple):
    """A fact about the code of a layer type."""

    words: str
    source: str
    """The file in ncnn's `src/layer/arm`."""


FLOAT32: Mapping[str, Fact] = {
    name: Fact("float32 arithmetic and weights", f"{name.lower()}_arm_asimdhp.cpp")
    for name in ("GroupNorm", "InstanceNorm", "LayerNorm", "RMSNorm")
}
"""Layer types with float16 blobs, and with float32 weights and arithmetic."""

POOLING = Fact("maxima, and means over whole channels, in float32", "pooling_arm_asimdhp.cpp")

EXPONENT = 10.7421875
"""The largest argument of `exp` in float16; larger ones count as this (`neon_mathfun_fp16s.h`)."""

STORED_STEPS: Mapping[str, Fact] = {
    name: Fact("Gemms that store each step, and a Softmax, in float16", f"{name.lower()}_arm.cpp")
    for name in ("MultiHeadAttention", "SDPA")
}
"""Layer types that store intermediate blobs in float16 even if the arithmetic is float32. (Their
Gemms ignore `output_elemtype`, see `gemm_arm_asimdhp.cpp`.)"""

ALWAYS_HALF: Mapping[str, Fact] = {
    name: Fact("float16 arithmetic for float16 blobs", f"{name.lower()}_arm.cpp")
    for name in ("Softmax", "BinaryOp", "UnaryOp")
}
"""Layer types that compute in float16 even if bit 0 of the feature mask is set."""

FAULTS: Mapping[str, Fact] = {
    "ConvolutionDepthWise": Fact(
        "3x3 windows of stride 2, 8 packed channels: two columns at a time read elements of another"
        " row",
        "convolutiondepthwise_3x3_pack8_fp16s.h",
    )
}
"""Layers that the code for float16 computes wrongly, without an overflow."""


def has_fault(op: LayerOp, results: Sequence[Array]) -> bool:
    """Whether the code for float16 computes a layer wrongly (`FAULTS`)."""
    if op.LAYER_TYPE not in FAULTS:
        return False
    params = [getattr(op, f"{name}_{axis}") for name in ("kernel", "stride") for axis in "wh"]
    dilated = (getattr(op, "dilation_w"), getattr(op, "dilation_h")) != (1, 1)
    channels, _, columns = results[0].shape
    packed = channels % 8 == 0 and getattr(op, "group") == channels
    return params == [3, 3, 2, 2] and not dilated and packed and columns % 4 >= 2


def stores_float16(op: LayerOp) -> bool:
    """Whether a layer reads and writes float16 blobs."""
    return ARM.code_of(op.LAYER_TYPE).half and not has_float32_storage(op)


def misreads(op: LayerOp) -> bool:
    """Whether a layer reads a float16 blob as float32."""
    return has_float32_storage(op) and any(_is_float16(value) for value in op.data_operands())


def _is_float16(value: SSAValue) -> bool:
    """Whether a blob is float16 where a layer without float16 storage reads it. (The file has a
    Split for a blob with several readers.)"""
    owner = value.owner
    writes = isinstance(owner, LayerOp) and stores_float16(owner)
    return writes or not value.has_one_use()


def has_float32_weights(op: LayerOp) -> bool:
    """Whether the weights of a layer are not rounded when the model is loaded."""
    return op.LAYER_TYPE in FLOAT32 or op.LAYER_TYPE == "BatchNorm"


def compute_arm_layer(
    op: LayerOp, operands: Sequence[Array], store: Arithmetic, half: bool, release: str = ""
) -> Sequence[Array]:
    """Return the results of a layer with float16 blobs for operands that float16 represents.
    `store` rounds intermediate blobs; with `half`, it also rounds the arithmetic. All supported
    releases compute alike."""
    stores_steps = op.LAYER_TYPE in STORED_STEPS and not is_quantized(op)
    rounded = half or stores_steps or op.LAYER_TYPE in ALWAYS_HALF
    if not rounded or is_float32(op):
        return evaluate(op, operands)
    adds_in_half = half or not stores_steps
    sums = Arithmetic(store.limit, store.rounds, sums=adds_in_half, terms=1, exponent=EXPONENT)
    if isinstance(op, ConvolutionOp) and (transforms := transforms_of(op, operands)):
        results = [
            winograd(op, operands[0], weights_by_name(op, operands), transforms, sums, sums.of)
        ]
    else:
        exact = len(op.data_operands()) if has_float32_weights(op) else len(operands)
        given = [sums.of(v) if v.dtype.kind == "f" else v for v in operands[:exact]]
        results = evaluate(op, [*given, *operands[exact:]])
    store.peak = max(store.peak, sums.peak)
    return results


def is_float32(op: LayerOp) -> bool:
    """Whether a layer computes in float32 apart from its inputs and outputs."""
    if isinstance(op, PoolingOp):
        return bool(op.global_pooling) or op.pooling_type == 0
    return op.LAYER_TYPE in FLOAT32 or is_quantized(op)


def transforms_of(op: ConvolutionOp, operands: Sequence[Array]) -> Transforms | None:
    """Return the transforms of Winograd's algorithm for a convolution, if its code uses it
    (`convolution_arm_asimdhp.cpp`)."""
    inputs, outputs = len(operands[0]), op.num_output
    if not has_winograd_shape(op, operands[0]) or max(inputs, outputs) < 16:
        return None
    if max(inputs, outputs) <= 128:
        return F63
    return F43 if min(inputs, outputs) >= 16 else F23
