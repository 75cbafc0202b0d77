"""Reference semantics of the layers in `dialects/ncnn/recurrent.py`, step by step."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ...dialects.ncnn.recurrent import GRUOp, LSTMOp, Recurrent, RNNOp
from .fused_activation import sigmoid
from .int8 import exact, quantized, rescaled, scale_of
from .scans import States, Step, scan
from .semantics import Array, Inputs, Weights, needed, semantics

Cell: TypeAlias = Callable[[Array, Array, States], States]
"""Return the next states from the products of the weights with the input and the last outputs
(without biases), and the present states: outputs, then cells if any."""


@dataclass(frozen=True)
class Direction:
    """The weights of one direction."""

    input_weight: Array
    hidden_weight: Array
    bias: Array
    input_scales: Array | None
    hidden_scales: Array | None
    projection: Array | None

    @staticmethod
    def of(weights: Weights, index: int) -> "Direction":
        def one(name: str) -> Array | None:
            value = weights.get(name)
            return None if value is None else value[index]

        return Direction(
            needed(weights, "weight_xc")[index],
            needed(weights, "weight_hc")[index],
            needed(weights, "bias_c")[index],
            one("weight_xc_int8_scales"),
            one("weight_hc_int8_scales"),
            one("weight_hr"),
        )

    def of_inputs(self, x: Array) -> Array:
        """Return the input weight's products for all steps."""
        return _product(x, self.input_weight, self.input_scales)

    def of_hidden(self, h: Array) -> Array:
        """Return the hidden weight's product with the last outputs."""
        return _product(h[None], self.hidden_weight, self.hidden_scales)[0]


def _product(x: Array, weight: Array, scales: Array | None) -> Array:
    """Return `x @ transpose(weight)`; for int8 weights each row of x is quantized by its largest
    magnitude."""
    if scales is None:
        return x @ weight.T
    x_scales = scale_of(x, 1)
    sums = exact(quantized(x, x_scales)) @ exact(weight).T
    return rescaled(sums, (1 / x_scales) * (1 / scales))


def _rnn(direction: Direction) -> Cell:
    (bias,) = direction.bias

    def step(x: Array, h: Array, states: States) -> States:
        return (np.tanh(bias + x + h),)

    return step


def _lstm(direction: Direction) -> Cell:
    bias = direction.bias.reshape(-1)

    def step(x: Array, h: Array, states: States) -> States:
        i, f, o, g = np.split(bias + x + h, 4)
        cells = sigmoid(f) * states[1] + sigmoid(i) * np.tanh(g)
        outputs = sigmoid(o) * np.tanh(cells)
        if direction.projection is not None:
            outputs = direction.projection @ outputs
        return (outputs, cells)

    return step


def _gru(direction: Direction) -> Cell:
    reset_bias, update_bias, input_bias, hidden_bias = direction.bias

    def step(x: Array, h: Array, states: States) -> States:
        (xr, xu, xn), (hr, hu, hn) = np.split(x, 3), np.split(h, 3)
        reset, update = sigmoid(reset_bias + xr + hr), sigmoid(update_bias + xu + hu)
        new = np.tanh(input_bias + reset * (hidden_bias + hn) + xn)
        return ((1 - update) * new + update * states[0],)

    return step


_CELLS: Mapping[type[Recurrent], Callable[[Direction], Cell]] = {
    RNNOp: _rnn,
    LSTMOp: _lstm,
    GRUOp: _gru,
}


@semantics(Recurrent)
def recurrent(op: Recurrent, inputs: Inputs, weights: Weights) -> Sequence[Array]:
    x, *given = inputs
    x = x.reshape(-1, x.shape[-1]) if x.ndim < 3 else x[0]  # the runtime reads the first channel
    if op.int8_scale_term and needed(weights, "weight_xc").dtype != np.int8:
        raise ValueError(f"{op.label()}: int8 inference needs int8 weights")
    sizes = op.state_sizes()
    backward = [op.direction == 1] if op.direction != 2 else [False, True]
    if len(given) != len(sizes):  # the runtime accepts all states or none
        given = [np.zeros((len(backward), n), "f4") for n in sizes]
    outputs: list[Array] = []
    last: list[States] = []
    for i, reverse in enumerate(backward):
        direction = Direction.of(weights, i)
        states = tuple(state.reshape(len(backward), -1)[i] for state in given)
        step = _step(direction, _CELLS[type(op)](direction))
        sequence, states = scan(step, direction.of_inputs(x), states, reverse)
        outputs.append(sequence)
        last.append(states)
    rows = np.concatenate(outputs, axis=1)
    if len(op.results) == 1:
        return (rows,)
    if len(op.results) != 1 + len(sizes):
        raise ValueError(f"{op.label()}: {len(op.results)} outputs, not {1 + len(sizes)}")
    ends = zip(*last, strict=True)
    return (rows, *(np.stack(s).reshape(g.shape) for s, g in zip(ends, given, strict=True)))


def _step(direction: Direction, cell: Cell) -> Step:
    return lambda x, states: cell(x, direction.of_hidden(states[0]), states)
