"""Matrices in blocks by methods that read inputs. The model runs here (NumPy), a layer at a time:
each layer gets the inputs that the quantized layers before it make."""

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
from ....interpreters.ncnn.layer_evaluation import evaluate
from ....interpreters.run import RunError, run_by_layer
from ..layer_weights import Array
from .awq import quantize_by_awq
from .block_gptq import quantize_by_gptq
from .input_statistics import InputStatistics
from .scaled_integers import Packed, restored

METHODS = {"awq": quantize_by_awq, "gptq": quantize_by_gptq}
"""The methods that read the inputs of a matrix."""


def visit_layers(
    func: FuncOp,
    layers: Collection[LayerOp],
    samples: Sequence[Mapping[str, Array]],
    visit: Callable[[LayerOp, Sequence[Sequence[Array]]], None],
) -> None:
    """Call `visit` for these layers in order, with their inputs for each sample. Raises
    `PassFailedException`."""

    def each(op: Operation, inputs: Sequence[Sequence[Array]]) -> None:
        visit(cast(LayerOp, op), inputs)

    try:
        run_by_layer(func, samples, layers, each)
    except RunError as e:
        raise PassFailedException(f"quantize-weights: calibration data: {e}") from e


def quantize_by_inputs(
    op: LayerOp,
    matrices: Mapping[str, Array],
    inputs: Sequence[Sequence[Array]],
    block: BlockQuantization,
    method: str,
) -> dict[str, Packed]:
    """Return the matrices of a layer in blocks, by its inputs for each sample. Raises `Unfit`, and
    `PassFailedException` for inputs that are not finite or do not fit."""
    place = "quantize-weights: with the calibration data"
    inputs = [_with_constants(op, blobs) for blobs in inputs]
    done: dict[str, Packed] = {}
    for name, weight in matrices.items():
        rows = [_rows_of(op, name, blobs, matrices, block, done) for blobs in inputs]
        if any(part.shape[1] != weight.shape[1] for part in rows):
            features = f"{rows[0].shape[1]} features, its weights are for {weight.shape[1]}"
            raise PassFailedException(f"{place} the input of {op.label()} has {features}")
        if not all(np.isfinite(part).all() for part in rows):
            reason = "is infinite or NaN somewhere"
            raise PassFailedException(f"{place} the input of {op.label()} {reason}")
        if not sum(len(part) for part in rows):
            raise PassFailedException(f"{place} {op.label()} has no input")
        done[name] = METHODS[method](weight, block, InputStatistics(rows))
    return done


def _rows_of(
    op: LayerOp,
    name: str,
    blobs: Sequence[Array],
    matrices: Mapping[str, Array],
    block: BlockQuantization,
    done: Mapping[str, Packed],
) -> Array:
    """Return the rows that a matrix of a layer is multiplied by."""
    if isinstance(op, GemmOp):
        x = blobs[0]
        x = x[None] if x.ndim == 1 else x[:, 0] if x.ndim == 3 else x
        return x.T if op.transA else x
    assert isinstance(op, MultiHeadAttentionOp)
    if name == "out_weight":
        return _attention_output(op, blobs, matrices, block, done)
    given = list(op.sequences(blobs))
    return given[min("qkv".index(name[0]), len(given) - 1)]


def _attention_output(
    op: MultiHeadAttentionOp,
    blobs: Sequence[Array],
    matrices: Mapping[str, Array],
    block: BlockQuantization,
    done: Mapping[str, Packed],
) -> Array:
    """Return the input of an attention's output weight: the layer's output with a unit matrix as
    output weight, and with the other weights quantized."""
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
    """Return all blobs that a layer reads: computed blobs and constants, in their order."""
    computed = iter(blobs)
    return [
        _values(v) if isinstance(v.owner, ConstantOp) else next(computed)
        for v in op.data_operands()
    ]


def _values(value: SSAValue) -> Any:
    constant = constant_of(value)
    assert constant is not None
    return constant.read()
