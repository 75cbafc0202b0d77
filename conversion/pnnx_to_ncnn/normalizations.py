"""Normalizations.

ncnn normalizes along one axis, or over the channels of one image. So the axes of a LayerNorm become
one axis, and the images of a GroupNorm become further groups.
"""

from collections.abc import Mapping, Sequence
from math import prod

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.ncnn.normalization import (
    BatchNormOp,
    GroupNormOp,
    InstanceNormOp,
    LayerNormOp,
    LRNOp,
    RMSNormOp,
)
from ...dialects.pnnx.operations import OperatorOp
from ...transforms.pnnx_legalization.legalization import as_ints
from ...transforms.rewriting.layer_builder import Shape
from .lowering import Array, Lowering, OperatorBuilder, Refusal, natural

EPSILON = float(np.finfo("f4").eps)
"""PyTorch's `eps` of RMSNorm where none is given."""


def parameter(b: OperatorBuilder, key: str, place: int | None = None) -> Array | None:
    """Return a weight of the operator, or an operand that is a constant; `None` if it has none."""
    if key in b.operator.weight_types():
        return b.weight(key)
    value = b.operand(key, place)
    return None if value is None else b.known(value, f"its {key}")


def layer_norm(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower a LayerNorm over the innermost axes, which become one axis."""
    shape, size = _normalized(b)
    gamma, beta = parameter(b, "weight", 1), parameter(b, "bias", 2)
    if gamma is None and beta is not None:
        gamma = np.ones(size, "f4")
    if gamma is not None and beta is None:
        beta = np.zeros(size, "f4")
    weights = {"gamma": _flat(b, gamma), "beta": _flat(b, beta)}
    params = {"affine_size": size, "eps": b.number("eps", 1e-5), "affine": int(gamma is not None)}
    return b.layer_with_weights(
        LayerNormOp, [b.reshape(op.inputs[0], shape)], weights, shape, **params
    )


def rms_norm(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower an RMSNorm over the innermost axes, which become one axis."""
    shape, size = _normalized(b)
    gamma, eps = parameter(b, "weight", 1), op.param("eps", None)
    params = {
        "affine_size": size,
        "eps": EPSILON if eps is None else b.number("eps"),
        "affine": int(gamma is not None),
    }
    weights = {"gamma": _flat(b, gamma)}
    return b.layer_with_weights(
        RMSNormOp, [b.reshape(op.inputs[0], shape)], weights, shape, **params
    )


def _normalized(b: OperatorBuilder) -> tuple[Shape, int]:
    """Return the shape of the blob whose innermost axis is normalized, and that axis' extent."""
    shape, dims = b.inputs[0], as_ints(b.operator.param("normalized_shape", None))
    b.expect(shape)
    if dims is None or shape[len(shape) - len(dims) :] != dims:
        raise Refusal(f"'normalized_shape' is {dims} for {shape}")
    size = prod(dims)
    if len(dims) == 1 and len(b.fold(shape)) <= 3:
        return b.fold(shape), size
    rows = prod(shape) // size
    return ((size,) if rows == 1 else (rows, size)), size


def _flat(b: OperatorBuilder, values: Array | None) -> SSAValue | None:
    return None if values is None else b.constant(values.reshape(-1))


def batch_norm(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower a BatchNorm with stored statistics along axis 1."""
    mean, var = parameter(b, "running_mean", 1), parameter(b, "running_var", 2)
    if mean is None or var is None:
        raise Refusal("it has no stored mean and variance")
    slope, bias = parameter(b, "weight", 3), parameter(b, "bias", 4)
    slope = np.ones_like(mean) if slope is None else slope
    bias = np.zeros_like(mean) if bias is None else bias
    return [affine_norm(b, {"slope": slope, "mean": mean, "var": var, "bias": bias})]


def affine_norm(b: OperatorBuilder, weights: Mapping[str, Array]) -> SSAValue:
    """Return the first operand normalized along axis 1 by these weights."""
    shape, x, eps = b.inputs[0], b.operator.inputs[0], b.number("eps", 1e-5)
    b.expect(shape)
    channels = weights["mean"].size
    if len(shape) < 2 or shape[1] != channels:
        raise Refusal(f"its weights have {channels} channels")
    count, inner = shape[0], prod(shape[2:])
    given = {
        k: b.constant(np.tile(v.reshape(-1), count if inner > 1 else 1)) for k, v in weights.items()
    }
    if count == 1 or inner > 1:
        # Several images: their channels are one axis.
        blob = shape[1:] if count == 1 and len(shape) <= 5 else (count * channels, inner)
        blob = natural((1, *blob))
        return b.layer_with_weights(BatchNormOp, [b.reshape(x, blob)], given, blob, eps=eps)[0]
    x = b.permute(x, (count, channels), (1, 0))
    blob = (channels, count)
    y = b.layer_with_weights(BatchNormOp, [b.reshape(x, blob)], given, blob, eps=eps)[0]
    return b.permute(y, blob, (1, 0))


def group_norm(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower a GroupNorm; several images are further groups."""
    shape, groups = b.inputs[0], int(b.number("num_groups"))
    b.expect(shape)
    count, channels = shape[0], shape[1]
    gamma, beta = _affine(b, channels)
    weights = {"gamma": _tiled(b, gamma, count), "beta": _tiled(b, beta, count)}
    params = {"group": groups * count, "channels": channels * count, "eps": b.number("eps", 1e-5)}
    blob = _image(shape)
    return b.layer_with_weights(
        GroupNormOp,
        [b.reshape(op.inputs[0], blob)],
        weights,
        blob,
        affine=int(gamma is not None),
        **params,
    )


def instance_norm(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower an InstanceNorm: each channel of each image is normalized by itself, or by stored
    statistics."""
    if op.param("track_running_stats", False) or "running_mean" in op.weight_types():
        return batch_norm(op, b)
    shape = b.inputs[0]
    b.expect(shape)
    if len(shape) < 3:
        raise Refusal("its input has no batch axis")
    count, channels = shape[0], shape[1]
    gamma, beta = _affine(b, channels)
    weights = {"gamma": _tiled(b, gamma, count), "beta": _tiled(b, beta, count)}
    blob = _image(shape)
    if len(blob) == 2:
        blob = (blob[0], 1, blob[1])
    params = {"channels": channels * count, "eps": b.number("eps", 1e-5)}
    return b.layer_with_weights(
        InstanceNormOp,
        [b.reshape(op.inputs[0], blob)],
        weights,
        blob,
        affine=int(gamma is not None),
        **params,
    )


def _affine(b: OperatorBuilder, channels: int) -> tuple[Array | None, Array | None]:
    gamma, beta = parameter(b, "weight", 1), parameter(b, "bias", 2)
    if gamma is None and beta is None:
        return None, None
    gamma = np.ones(channels, "f4") if gamma is None else gamma
    return gamma, np.zeros(channels, "f4") if beta is None else beta


def _tiled(b: OperatorBuilder, values: Array | None, count: int) -> SSAValue | None:
    return None if values is None else b.constant(np.tile(values.reshape(-1), count))


def _image(shape: Shape) -> Shape:
    """Return the shape of a blob whose outermost axis are the channels of all images."""
    inner = shape[2:] if len(shape) <= 4 else (shape[2], prod(shape[3:]))
    return (prod(shape[:2]), *(inner or (1,)))


def local_response_norm(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower a LocalResponseNorm across the channels of one image."""
    shape = b.inputs[0]
    b.expect(shape)
    size = int(b.number("size"))
    if len(shape) != 4 or shape[0] != 1 or size % 2 == 0:
        raise Refusal("its input is no image, or its size is even")
    params = {
        "local_size": size,
        "alpha": b.number("alpha", 1e-4),
        "beta": b.number("beta", 0.75),
        "bias": b.number("k", 1.0),
    }
    return [b.unary_layer(LRNOp, op.inputs[0], shape[1:], **params)]


LOWERINGS: Mapping[str, Lowering] = {
    **dict.fromkeys(("nn.LayerNorm", "F.layer_norm"), layer_norm),
    **dict.fromkeys(("nn.RMSNorm", "F.rms_norm"), rms_norm),
    **dict.fromkeys([*(f"nn.BatchNorm{n}d" for n in (1, 2, 3)), "F.batch_norm"], batch_norm),
    **dict.fromkeys(("nn.GroupNorm", "F.group_norm"), group_norm),
    **dict.fromkeys(
        [*(f"nn.InstanceNorm{n}d" for n in (1, 2, 3)), "F.instance_norm"], instance_norm
    ),
    **dict.fromkeys(("nn.LocalResponseNorm", "F.local_response_norm"), local_response_norm),
}
