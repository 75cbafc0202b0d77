"""Matrices in blocks by what they are multiplied by: models run here, a layer at a time, on the
data, each layer with what those before it have become."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from ....dialects.ncnn.attention import MultiHeadAttentionOp
from ....dialects.ncnn.constant import ConstantOp, constant_of
from ....dialects.ncnn.layer import LayerOp
from ....dialects.ncnn.matmul import GemmOp
from ....dialects.ncnn.quantization import BlockQuantization
from ....interpreters.ncnn.semantics import evaluate
from ....interpreters.run import RunError, run_by_layer
from .awq import awq
from .block_gptq import gptq
from .input_statistics import Seen
from .scaled_integers import Array, Packed, restored

Calibrated = Callable[[Array, BlockQuantization, Seen], Packed]

METHODS: dict[str, Calibrated] = {"awq": awq, "gptq": gptq}
"""Methods that look at what a matrix is multiplied by."""


def visit_layers(
    func: FuncOp,
    layers: Collection[LayerOp],
    samples: Sequence[Mapping[str, Array]],
    visit: Callable[[LayerOp, Sequence[Sequence[Array]]], None],
) -> None:
    """Shows layers with their inputs for each sample, in order. Raises `PassFailedException`."""

    def each(op: Operation, inputs: Sequence[Sequence[Array]]) -> None:
        visit(cast(LayerOp, op), inputs)

    try:
        run_by_layer(func, samples, layers, each)
    except RunError as e:
        raise PassFailedException(f"quantize-weights: calibration data: {e}") from e


def quantize_seen(
    op: LayerOp,
    matrices: Mapping[str, Array],
    inputs: Sequence[Sequence[Array]],
    block: BlockQuantization,
    method: str,
) -> dict[str, Packed]:
    """The matrices of a layer in blocks, for its inputs for each sample. Raises `Unfit`, and
    `PassFailedException` for inputs that are not finite."""
    own = METHODS[method]
    inputs = [_with_constants(op, blobs) for blobs in inputs]
    done: dict[str, Packed] = {}
    for name, weight in matrices.items():
        rows = [_rows_of(op, name, blobs, matrices, block, done) for blobs in inputs]
        if any(part.shape[1] != weight.shape[1] for part in rows):
            raise PassFailedException(
                f"quantize-weights: with the calibration data the input of {op.label()} has "
                f"{rows[0].shape[1]} features, its weights are for {weight.shape[1]}"
            )
        if not all(np.isfinite(part).all() for part in rows):
            raise PassFailedException(
                f"quantize-weights: with the calibration data the input of {op.label()} is "
                "infinite or NaN somewhere"
            )
        if not sum(len(part) for part in rows):
            raise PassFailedException(
                f"quantize-weights: with the calibration data {op.label()} has no input"
            )
        done[name] = own(weight, block, Seen(rows))
    return done


def _rows_of(
    op: LayerOp,
    name: str,
    blobs: Sequence[Array],
    matrices: Mapping[str, Array],
    block: BlockQuantization,
    done: Mapping[str, Packed],
) -> Array:
    """The rows that a matrix of a layer is multiplied by."""
    if isinstance(op, GemmOp):
        x = blobs[0]
        x = x[None] if x.ndim == 1 else x[:, 0] if x.ndim == 3 else x
        return x.T if op.transA else x
    assert isinstance(op, MultiHeadAttentionOp)
    if name == "out_weight":
        return _mixed(op, blobs, matrices, block, done)
    given = list(op.sequences(blobs))
    return given[min("qkv".index(name[0]), len(given) - 1)]


def _mixed(
    op: MultiHeadAttentionOp,
    blobs: Sequence[Array],
    matrices: Mapping[str, Array],
    block: BlockQuantization,
    done: Mapping[str, Packed],
) -> Array:
    """What the output weight of an attention is multiplied by: the layer's output with a unit
    matrix in its place, the other weights as they have become."""
    others: dict[str, Array] = {
        name: restored(packed, block, matrices[name].shape[1]) for name, packed in done.items()
    }
    others["out_weight"] = np.eye(op.embed_dim, dtype="f4")
    others["out_bias"] = np.zeros(op.embed_dim, "f4")
    weights = [
        others[name] if name in others else _values(value)
        for name, value in op.weight_operands().items()
        if value is not None
    ]
    return evaluate(op, [*blobs, *weights])[0]


def _with_constants(op: LayerOp, blobs: Sequence[Array]) -> Sequence[Array]:
    """All blobs that a layer reads: those that are computed, and constants in their places."""
    computed = iter(blobs)
    return [
        _values(v) if isinstance(v.owner, ConstantOp) else next(computed)
        for v in op.data_operands()
    ]


def _values(value: SSAValue) -> Any:
    constant = constant_of(value)
    assert constant is not None
    return constant.read()
