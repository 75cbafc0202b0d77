"""Recurrent modules of one sequence: RNN, LSTM and GRU, layer by layer."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.ncnn.cropping import CropOp
from ...dialects.ncnn.joining import ConcatOp
from ...dialects.ncnn.recurrent import GRUOp, LSTMOp, RNNOp
from ...dialects.pnnx.operations import OperatorOp
from .lowering import Array, Lowering, OperatorBuilder, Refusal

LAYERS: Mapping[str, tuple[type[Any], Sequence[int]]] = {
    "nn.RNN": (RNNOp, (0,)),
    "nn.LSTM": (LSTMOp, (0, 1, 3, 2)),
    "nn.GRU": (GRUOp, (0, 1, 2)),
}
"""The layer, and the order of its gates among PyTorch's."""


def recurrent(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower a recurrent module. The states of all layers are one tensor: their rows are cut out and
    joined again."""
    cls, gates = LAYERS[op.type.data]
    if op.param("nonlinearity", "tanh") != "tanh":
        raise Refusal("its function is not tanh")
    both = bool(op.param("bidirectional", False))
    layers, hidden = int(b.number("num_layers", 1)), int(b.number("hidden_size"))
    size = int(op.param("proj_size", 0) or 0) or hidden
    first, shape = bool(op.param("batch_first", False)), b.inputs[0]
    if len(shape) == 3 and shape[0 if first else 1] != 1:
        raise Refusal("it has several sequences")
    steps, directions = shape[1] if len(shape) == 3 and first else shape[0], 1 + both
    x, width = op.inputs[0], shape[-1]
    sizes = (size, hidden)[: 2 if cls is LSTMOp else 1]
    states: list[list[SSAValue]] = [[] for _ in sizes]
    for number in range(layers):
        weights = _weights(b, number, both, gates)
        if size != hidden:
            weights["weight_hr"] = _stack(b, f"weight_hr_l{number}", both)
        blobs = [b.reshape(x, (steps, width))]
        for given, n in zip(op.inputs[1:], sizes, strict=False):
            whole = b.reshape(given, (layers * directions, n))
            row = number * directions
            cut = {"starts": (row,), "ends": (row + directions,), "axes": (0,)}
            blobs += [whole] if layers == 1 else b.layer(CropOp, [whole], (directions, n), **cut)
        results = [(steps, size * directions)]
        has_states = len(op.outputs) > 1 or len(blobs) > 1
        if has_states:
            results += [(directions, n) for n in sizes]
        params = {"num_output": size, "direction": 2 if both else 0}
        if cls is LSTMOp:
            params["hidden_size"] = hidden
        made = b.layer_with_weights(
            cls, blobs, {k: b.constant(v) for k, v in weights.items()}, *results, **params
        )
        x, width = made[0], size * directions
        for found, value in zip(states, made[1:], strict=False):
            found.append(value)
    values = [x]
    for found, n in zip(states, sizes, strict=True):
        if len(values) < len(op.outputs):
            joined = found[0]
            if layers > 1:
                joined = b.layer(ConcatOp, found, (layers * directions, n), axis=0)[0]
            values.append(joined)
    return values[: len(op.outputs)]


def _weights(b: OperatorBuilder, number: int, both: bool, gates: Sequence[int]) -> dict[str, Array]:
    """Return the weights of one layer in the layer's order of gates."""
    found: dict[str, list[Array]] = {"weight_xc": [], "bias_c": [], "weight_hc": []}
    types = b.operator.weight_types()
    for suffix in ("", "_reverse")[: 1 + both]:
        name = f"l{number}{suffix}"
        x, h = b.weight(f"weight_ih_{name}"), b.weight(f"weight_hh_{name}")
        count = x.shape[0]
        parts = [
            b.weight(f"bias_{kind}_{name}")
            if f"bias_{kind}_{name}" in types
            else np.zeros(count, "f4")
            for kind in ("ih", "hh")
        ]
        found["weight_xc"].append(_ordered(x, gates).reshape(count, -1))
        found["weight_hc"].append(_ordered(h, gates).reshape(count, -1))
        bx, bh = (part.reshape(len(gates), -1) for part in parts)
        if b.operator.type.data == "nn.GRU":
            # The candidate's two biases stay apart: one is inside the product with the reset gate.
            bias = np.stack([bx[0] + bh[0], bx[1] + bh[1], bx[2], bh[2]])
        else:
            bias = (bx + bh)[list(gates)]
        found["bias_c"].append(bias)
    return {key: np.stack(values) for key, values in found.items()}


def _ordered(weight: Array, gates: Sequence[int]) -> Array:
    return weight.reshape(len(gates), -1, weight.shape[-1])[list(gates)]


def _stack(b: OperatorBuilder, name: str, both: bool) -> Array:
    return np.stack([b.weight(f"{name}{suffix}") for suffix in ("", "_reverse")[: 1 + both]])


LOWERINGS: Mapping[str, Lowering] = dict.fromkeys(LAYERS, recurrent)
