"""The layer of each anchor.

One operation stands for several layer types of ncnn: rank and groups of a `fused.conv` determine
whether it is a Convolution, a Convolution1D or a ConvolutionDepthWise. A property that none of them
has is the reason why an operation stays.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX, f32
from xdsl.ir import SSAValue

from ...dialects.fused import ConvOp, ConvTransposeOp, FusedOp, LinearOp, PoolOp
from ...dialects.ncnn import BY_TYPE
from ...dialects.ncnn.constant import attached_constant
from ...dialects.ncnn.convolution import ConvolutionOp
from ...dialects.ncnn.innerproduct import InnerProductOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.matmul import GemmOp
from ...dialects.ncnn.params import Value
from ...dialects.ncnn.pooling import POOLING_TYPES
from ...dialects.ncnn.spatial import OUTPUT_PADS, PADS
from ...dialects.ncnn.windows import VALID
from ...dialects.shapes.tensors import known, shape_of
from ..epilogues.constants import reshaped
from .activation import find_activation
from .instruction_selection import Covering, NotLowered

AXES = {1: "w", 2: "hw", 3: "dhw"}
"""The axes of a window by their number, outermost first."""

_SUFFIXES = {1: "1D", 2: "", 3: "3D"}
"""The ends of the names of layer types with a window along this number of axes."""


@dataclass
class Anchor:
    """A layer to be created from an anchor. The caller may add parameters and weights."""

    cls: type[LayerOp]
    data: Sequence[SSAValue]
    params: dict[str, Value]
    weights: dict[str, SSAValue | None]


def anchor_of(op: FusedOp, covering: Covering) -> Anchor | None:
    """Return the layer of an anchor; `None` for an element-wise operation. Raises `NotLowered`."""
    make = _ANCHORS.get(type(op))
    return None if make is None else make(op, covering)


def _conv(op: ConvOp | ConvTransposeOp, covering: Covering) -> Anchor:
    rank, shape, groups = _static_rank(op), shape_of(op.weight), op.group_count()
    if shape is None or not all(map(known, shape)):
        raise NotLowered("a weight of an unknown shape")
    constants = [attached_constant(v) is not None for v in (op.weight, op.bias) if v is not None]
    params: dict[str, Value] = {**_window(op, rank), "num_output": shape[0]}
    if isinstance(op, ConvOp):
        params["pad_value"] = op.pad_value.value.data
    elif not constants[0]:
        raise NotLowered("a deconvolution whose weight is a blob has its inputs before its outputs")
    if groups > 1:
        params["group"] = groups
    word = "Convolution" if isinstance(op, ConvOp) else "Deconvolution"
    cls = BY_TYPE[f"{word}{'DepthWise' if groups > 1 else ''}{_SUFFIXES[rank]}"]
    if not all(constants) and (any(constants) or "dynamic_weight" not in cls.PARAMS):
        raise NotLowered("a weight or bias is not constant")
    return Anchor(cls, [op.input], params, {"weight": op.weight, "bias": op.bias})


def _static_rank(op: ConvOp | ConvTransposeOp | PoolOp) -> int:
    rank = op.spatial_rank()
    if rank is None:
        raise NotLowered("the number of axes that the window slides along is unknown")
    return rank


def _window(op: ConvOp | ConvTransposeOp | PoolOp, rank: int) -> dict[str, Value]:
    """Return the parameters that all layers with a window have."""
    window = op.window_on([DYNAMIC_INDEX] * rank)
    params: dict[str, Value] = {}
    for name, numbers in (("stride", window.strides), ("kernel", window.kernel)):
        params |= {f"{name}_{a}": n for a, n in zip(AXES[rank], numbers, strict=True)}
    if not isinstance(op, PoolOp):
        params |= {f"dilation_{a}": n for a, n in zip(AXES[rank], window.dilations, strict=True)}
    for axis, pair in zip(AXES[rank], window.pads, strict=True):
        params |= dict(zip(PADS[axis], pair, strict=True))
    return params | {OUTPUT_PADS[a]: n for a, n in zip(AXES[rank], window.more, strict=False)}


def _linear(op: LinearOp, covering: Covering) -> Anchor:
    matrix, weight, given = op.matrix_shape(), op.weight, shape_of(op.input)
    constants = [attached_constant(v) is not None for v in (weight, op.bias) if v is not None]
    if matrix is None or not all(map(known, matrix)) or not all(constants):
        raise NotLowered("a weight or bias is not constant")
    outputs, inputs = matrix
    if op.has_rows() is None:
        raise NotLowered("it is not known whether there are rows")
    rows = given is not None and len(given) == 2
    if op.has_rows() and op.accumulator is not None and op.accumulator.type == f32:
        # A Gemm is faster than an InnerProduct, but only the latter has a fused activation.
        activated = find_activation(op, op.accumulator, covering.scalars) is not None
        if not (rows and activated and op.transposed is None):
            return _gemm(op, outputs, inputs, covering)
    if op.transposed is not None:
        raise NotLowered("a transposed weight for a vector")
    params: dict[str, Value] = {"num_output": outputs}
    weight_shape = shape_of(weight) or ()
    if len(weight_shape) == 4 and weight_shape[2:] == (1, 1) and given is not None:
        if len(given) == 1:  # it comes from a 1x1 Convolution of a vector
            params["kernel_w"] = 1
            return Anchor(ConvolutionOp, [op.input], params, {"weight": weight, "bias": op.bias})
    if len(weight_shape) != 2:
        weight = covering.constant(reshaped(weight, (outputs, inputs)))
    if op.has_rows() is False and (given is None or len(given) == 2):
        if given is None or not all(map(known, given)) or given[1] == inputs:
            raise NotLowered("an InnerProduct might read the blob as rows")
    return Anchor(InnerProductOp, [op.input], params, {"weight": weight, "bias": op.bias})


def _gemm(op: LinearOp, outputs: int, inputs: int, covering: Covering) -> Anchor:
    params: dict[str, Value] = {
        "constantB": 1,
        "constantN": outputs,
        "constantK": inputs,
        "transB": int(op.transposed is None),
        "constantC": 1,
        "constant_broadcast_type_C": -1,
    }
    if len(shape_of(op.weight) or ()) != 2:
        raise NotLowered("a weight of more than two dims for rows")
    weights: dict[str, SSAValue | None] = {"B": op.weight}
    if op.bias is not None:
        params["constant_broadcast_type_C"] = 4
        weights["C"] = covering.constant(reshaped(op.bias, (1, outputs)))
    return Anchor(GemmOp, [op.input], params, weights)


def _pool(op: PoolOp, covering: Covering) -> Anchor:
    rank = _static_rank(op)
    params: dict[str, Value] = {"pooling_type": POOLING_TYPES.index(op.kind.data)}
    if op.is_global is not None:
        params["global_pooling"] = 1
    elif op.adaptive is not None:
        own = shape_of(op.result)
        if own is None or not all(map(known, own[1:])):
            raise NotLowered("adaptive pooling to unknown extents")
        params["adaptive_pooling"] = 1
        params |= {f"out_{a}": n for a, n in zip(AXES[rank], own[1:], strict=True)}
    else:
        params |= {"pad_mode": VALID, **_window(op, rank)}
        params["avgpool_count_include_pad"] = int(op.count_include_pad is not None)
    return Anchor(BY_TYPE[f"Pooling{_SUFFIXES[rank]}"], [op.input], params, {})


_ANCHORS: Mapping[type[FusedOp], Callable[[Any, Covering], Anchor]] = {
    ConvOp: _conv,
    ConvTransposeOp: _conv,
    LinearOp: _linear,
    PoolOp: _pool,
}
