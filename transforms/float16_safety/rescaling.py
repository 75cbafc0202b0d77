"""Exact rescaling of the blobs between linear layers and the layers that undo the scale.

A producer `y = W x + b` becomes `s y = (s W) x + s b` with `s = 2^-k`. Layers between that are
positively homogeneous forward the scale: `f(s y) = s f(y)`. Each reader at the end undoes it:

- a linear layer multiplies its weight by `1 / s`;
- a normalization is invariant: `y / sqrt(var(y) + eps) = s y / sqrt(s^2 var(y) + s^2 eps)`;
- a BatchNorm multiplies its mean by `s`, its variance and its eps by `s^2`.

In float32 all products with a power of two are exact, unless they overflow or become subnormal. The
weights are checked for this, and for float16.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.float16.operands import is_quantized
from ...dialects.ncnn.constant import ConstantOp, constant_of
from ...dialects.ncnn.interfaces import LEAKY_RELU, RELU
from ...dialects.ncnn.layer import LayerOp
from ..canonicalization.precision import FLOAT16, FLOAT32
from ..canonicalization.rewriting import is_exact

LINEAR = frozenset(
    {
        "Convolution",
        "ConvolutionDepthWise",
        "Convolution1D",
        "Deconvolution",
        "DeconvolutionDepthWise",
        "InnerProduct",
        "Gemm",
    }
)
"""Layers with a weight, an optional bias and an activation. The weight and bias of a Gemm are its
constants B and C."""

NORMS = frozenset({"LayerNorm", "RMSNorm", "GroupNorm", "InstanceNorm"})
"""Layers that are invariant under a scale of their input and its square in eps."""

HOMOGENEOUS = frozenset(
    {
        "ReLU",
        "PReLU",
        "AbsVal",
        "Dropout",
        "Pooling",
        "Interp",
        "Reshape",
        "Permute",
        "Flatten",
        "Squeeze",
        "ExpandDims",
        "Split",
        "Slice",
        "Crop",
        "PixelShuffle",
        "ShuffleChannel",
    }
)
"""Layers with `f(s x) = s f(x)` for `s > 0`."""

WEIGHTS = {"Gemm": ("B", "C")}
"""The names of weight and bias where they are not `weight` and `bias`."""

STEPS = (2, 4, 6, 8, 10, 12, 14)
"""The tried `k`."""


@dataclass
class Chain:
    """A producer, the layers that forward its scale, and the layers that undo it."""

    producer: LayerOp
    between: list[LayerOp] = field(default_factory=list[LayerOp])
    readers: list[LayerOp] = field(default_factory=list[LayerOp])

    def layers(self) -> Sequence[LayerOp]:
        """The layers whose outputs have the scale."""
        return [self.producer, *self.between]


def chain_from(producer: LayerOp) -> Chain | None:
    """Return the chain of a producer; `None` if a reader cannot undo a scale."""
    if not _is_linear(producer):
        return None
    if getattr(producer, "activation_type", 0) not in (0, RELU, LEAKY_RELU):
        return None
    chain, pending = Chain(producer), [*producer.results]
    while pending:
        for use in pending.pop().uses:
            op = use.operation
            if not isinstance(op, LayerOp) or use.index > 0:  # an output, another blob, a weight
                return None
            if op.LAYER_TYPE in HOMOGENEOUS and len(op.data_operands()) == 1:
                chain.between.append(op)
                pending += op.results
            elif op.LAYER_TYPE in {*NORMS, "BatchNorm"} or _is_linear(op):
                chain.readers.append(op)
            else:
                return None
    return chain if chain.readers else None


def producers_of(op: LayerOp) -> Sequence[LayerOp]:
    """Return the layers whose scale may repair a layer: itself, or the linear layer before it."""
    if _is_linear(op):
        return [op]
    current: Any = op
    while isinstance(current, LayerOp) and (current is op or current.LAYER_TYPE in HOMOGENEOUS):
        current = current.operands[0].owner
    return [current] if isinstance(current, LayerOp) and _is_linear(current) else []


def _is_linear(op: LayerOp) -> bool:
    """Whether a layer is linear with constant, plain weights."""
    if op.LAYER_TYPE not in LINEAR or op.weights_are_dynamic():
        return False
    if op.LAYER_TYPE == "Gemm" and (len(op.data_operands()) != 1 or getattr(op, "constantA", 0)):
        return False
    plain = not is_quantized(op) and not getattr(op, "pad_value", 0)
    return plain and all(v is None or constant_of(v) for v in op.weight_operands().values())


Undo = Callable[[], None]


def rescale(chain: Chain, k: int) -> list[Undo] | None:
    """Scale the blobs of a chain by `2^-k`. Return functions that restore the layers, in any order;
    `None`, without a change, if a weight would overflow or lose precision."""
    scale = 2.0**-k
    wanted: list[tuple[LayerOp, dict[str, float], float]] = []
    names = WEIGHTS.get(chain.producer.LAYER_TYPE, ("weight", "bias"))
    wanted.append((chain.producer, dict.fromkeys(names, scale), 1.0))
    for op in chain.readers:
        if op.LAYER_TYPE in NORMS:
            wanted.append((op, {}, scale**2))
        elif op.LAYER_TYPE == "BatchNorm":
            wanted.append((op, {"mean": scale, "var": scale**2}, scale**2))
        else:
            name, _ = WEIGHTS.get(op.LAYER_TYPE, ("weight", "bias"))
            wanted.append((op, {name: 1 / scale}, 1.0))
    done: list[Undo] = []
    for op, factors, eps in wanted:
        undo = _multiply(op, factors, eps, on_gpu=op.LAYER_TYPE != "BatchNorm")
        if undo is None:
            for each in done:
                each()
            return None
        done.append(undo)
    return done


def _multiply(op: LayerOp, factors: dict[str, float], eps: float, on_gpu: bool) -> Undo | None:
    """Multiply weights by name, and eps. Return a function that restores the layer."""
    operands, properties = list(op.operands), dict(op.properties)
    new: dict[str, SSAValue | None] = {}
    made: list[ConstantOp] = []
    for name, factor in factors.items():
        old = op.weight_operands().get(name)
        constant = None if old is None else constant_of(old)
        if constant is None:
            continue
        scaled = _scaled(constant, factor, on_gpu)
        if scaled is None:
            return None
        made.append(scaled)
        new[name] = scaled.output
    old_eps = float(getattr(op, "eps", 0.0))
    if eps != 1.0 and 0 < old_eps * eps < FLOAT32.least:
        return None
    for constant in made:
        Rewriter.insert_op(constant, InsertPoint.before(op))
    op.set_weights(**new)
    if eps != 1.0:
        op.set_params(eps=float(np.float32(old_eps) * np.float32(eps)))

    def undo() -> None:
        op.operands, op.properties = operands, properties
        for constant in made:
            Rewriter.erase_op(constant)

    return undo


def _scaled(constant: ConstantOp, factor: float, on_gpu: bool) -> ConstantOp | None:
    values: Any = constant.read()
    products = values.astype("f4") * np.float32(factor)
    if not np.array_equal(products / np.float32(factor), values.astype("f4")):
        return None
    magnitudes = np.abs(products[products != 0])
    if magnitudes.size and magnitudes.min() < FLOAT32.least:
        return None
    if on_gpu and not FLOAT16.keeps(products, values):
        return None
    element = constant.output.type.element_type
    if not is_exact(products, element):
        return None
    return ConstantOp.holding(products, element, constant.output.name_hint)
