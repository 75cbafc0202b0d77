"""Recurrent layers over a sequence: RNN, LSTM, GRU.

A sequence is a blob `steps x input_size`. In weights, the direction is the outermost axis (extent 2
for bidirectional layers), and the gates are stacked along the rows.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from xdsl.dialects.builtin import f32
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException

from ..shapes.terms import UNKNOWN, Extents
from .blob import static_shape_of
from .checks import check
from .cost import product
from .extents import differ
from .layer import Arity, VariadicLayer, layer
from .params import enum_param, int_param
from .quantization import DynamicInt8
from .weight_specs import Pattern, RowsParams, Shape, optional_weight, weight, weight_size

_MATRICES = ("weight_xc", "weight_hc", "weight_hr")
"""The weights that are multiplied in each step."""


class RecurrentParams(RowsParams, Protocol):
    """The parameters that determine the shapes of weights; for an LSTM also `hidden_size`."""

    direction: int


def _directions(p: RecurrentParams) -> int:
    return 2 if p.direction == 2 else 1


def _hidden_size(p: RecurrentParams) -> int:
    """Return the number of cells: `hidden_size` in an LSTM with a projection, else the number of
    outputs."""
    return getattr(p, "hidden_size", p.num_output)


def _may_be(extents: Extents, count: int) -> bool:
    """Whether the product of extents may be `count`, with any extents where they are unknown."""
    given = prod(n for n in extents if isinstance(n, int))
    if all(isinstance(n, int) for n in extents):
        return given == count
    return given > 0 and count % given == 0


def _input_weight(gates: int) -> Callable[[Any], Shape]:
    def shape(p: RecurrentParams) -> Shape:
        rows = _hidden_size(p) * gates
        each = rows * _directions(p)
        if each <= 0 or p.weight_data_size <= 0 or p.weight_data_size % each:
            raise VerifyException(
                f"weight_data_size {p.weight_data_size} is not a multiple of {gates} gates times "
                f"{_hidden_size(p)} cells times {_directions(p)} directions"
            )
        return (_directions(p), rows, p.weight_data_size // each)

    return shape


def _hidden_weight(gates: int) -> Callable[[Any], Shape]:
    return lambda p: (_directions(p), _hidden_size(p) * gates, p.num_output)


def _scales(gates: int) -> SSAValue | None:
    return optional_weight(
        lambda p: (_directions(p), _hidden_size(p) * gates),
        when=lambda p: p.int8_scale_term,
        positive=True,
    )


class Recurrent(DynamicInt8, VariadicLayer, ABC):
    """The common part of recurrent layers.

    Shapes: `steps x input_size`, optional hidden state `directions x num_output` ->
    `steps x (directions * num_output)`, optional last hidden state.
    """

    if TYPE_CHECKING:
        weight_xc: SSAValue

    num_output = int_param(0)
    """Outputs per step and direction."""
    direction = enum_param(2, ("forward", "reverse", "bidirectional"))
    """The reading order; bidirectional concatenates both outputs."""
    int8_scale_term = int_param(8)
    """0: float; otherwise int8 weights with the scales below."""
    weight_data_size = weight_size(1, "weight_xc")

    def expected_input_shapes(self) -> Sequence[Pattern]:
        shape = static_shape_of(self.weight_xc)
        return () if shape is None else [(None, shape[2]), (shape[2],)]

    def expected_state(self, index: int) -> Shape | None:
        if not self._updates_states() or not 0 < index < len(self.inputs):
            return None
        return (_directions(self), self.state_sizes()[index - 1])

    def contract_violation(self, shapes: Sequence[Extents | None]) -> str | None:
        said = super().contract_violation(shapes)
        if said is not None or not self._updates_states():
            return said
        directions = _directions(self)
        names = ("hidden", "cell")
        for name, size, state in zip(names, self.state_sizes(), shapes[1:], strict=False):
            # The axes before the last one are the directions, perhaps with axes of extent 1.
            if state and (differ(state[-1], size) or not _may_be(state[:-1], directions)):
                return f"takes {directions},{size} as its {name} state"
        return None

    @abstractmethod
    def state_sizes(self) -> tuple[int, ...]:
        """The extents of the state inputs and outputs."""

    def verify_layer(self) -> None:
        outputs, direction = self.num_output, self.direction
        check(self, outputs > 0, f"num_output is {outputs}, not positive")
        check(self, 0 <= direction <= 2, f"direction is 0 to 2, not {direction}")

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        shape, directions = shapes[0], _directions(self)
        steps = UNKNOWN if shape is None else shape[-2] if len(shape) > 1 else 1
        sequence = (steps, self.num_output * directions)
        sizes = self.state_sizes()
        if len(self.outputs) == 1:
            return [sequence]
        if len(self.outputs) != 1 + len(sizes):
            return None
        if self._updates_states():
            return [sequence, *shapes[1 : 1 + len(sizes)]]
        return [sequence, *((directions, size) for size in sizes)]

    def infer_elements(self, elements: Sequence[Attribute]) -> Sequence[Attribute]:
        states = elements[1 : len(self.outputs)] if self._updates_states() else ()
        return [f32, *(states or [f32] * (len(self.outputs) - 1))]

    def _updates_states(self) -> bool:
        """Whether the layer has an input for each state; its state outputs are then updates."""
        return len(self.inputs) - 1 == len(self.state_sizes())

    def macs(self) -> int | None:
        matrices = [n for name, n in self.weight_sizes().items() if name in _MATRICES]
        return product(self._steps(), sum(matrices))

    def other_flops(self) -> int | None:
        cells = _directions(self) * _hidden_size(self)
        return product(self._steps(), cells * self.FLOPS_PER_ELEMENT)

    def _steps(self) -> int | None:
        shape = static_shape_of(self.outputs[0])
        return None if shape is None else shape[0]


@layer
class RNNOp(Recurrent):
    """Recurrent layer: `h = tanh(weight_xc @ x + weight_hc @ h + bias_c)` at each step x; the
    output is h."""

    FLOPS_PER_ELEMENT: ClassVar[int] = 2

    NUM_INPUTS: ClassVar[Arity] = (1, 2)
    NUM_OUTPUTS: ClassVar[Arity] = (1, 2)

    weight_xc = weight(_input_weight(1), tagged=True, quantized_by="int8_scale_term")
    bias_c = weight(lambda p: (_directions(p), 1, p.num_output), tagged=True)
    weight_hc = weight(_hidden_weight(1), tagged=True, quantized_by="int8_scale_term")
    weight_xc_int8_scales = _scales(1)
    weight_hc_int8_scales = _scales(1)

    def state_sizes(self) -> tuple[int, ...]:
        return (self.num_output,)


@layer
class LSTMOp(Recurrent):
    """Long short-term memory.

    At each step x, with gates i, f, o, g = `weight_xc @ x + weight_hc @ h + bias_c`:
    `c = sigmoid(f) * c + sigmoid(i) * tanh(g)`, `h = sigmoid(o) * tanh(c)`, with a projection
    `h = weight_hr @ h`. The output is h.

    Shapes: `steps x input_size`, optional hidden `directions x num_output` and cell state
    `directions x hidden_size` -> `steps x (directions * num_output)`, optional last states.
    """

    FLOPS_PER_ELEMENT: ClassVar[int] = 22

    NUM_INPUTS: ClassVar[Arity] = (1, 3)
    NUM_OUTPUTS: ClassVar[Arity] = (1, 3)

    hidden_size = int_param(3, default="num_output")
    """Cells per direction."""

    weight_xc = weight(_input_weight(4), tagged=True, quantized_by="int8_scale_term")
    bias_c = weight(lambda p: (_directions(p), 4, p.hidden_size), tagged=True)
    weight_hc = weight(_hidden_weight(4), tagged=True, quantized_by="int8_scale_term")
    weight_hr = optional_weight(
        lambda p: (_directions(p), p.num_output, p.hidden_size),
        when=lambda p: p.num_output != p.hidden_size,
        tagged=True,
    )
    weight_xc_int8_scales = _scales(4)
    weight_hc_int8_scales = _scales(4)

    def state_sizes(self) -> tuple[int, ...]:
        return (self.num_output, self.hidden_size)


@layer
class GRUOp(Recurrent):
    """Gated recurrent unit.

    At each step x, with `r, u = sigmoid(weight_xc @ x + weight_hc @ h + bias)` and `n =
    tanh(weight_xc @ x + bias_wn + r * (weight_hc @ h + bias_bn))`: `h = (1 - u) * n + u * h`. The
    output is h. The rows of bias_c are r, u, wn, bn."""

    FLOPS_PER_ELEMENT: ClassVar[int] = 19

    NUM_INPUTS: ClassVar[Arity] = (1, 2)
    NUM_OUTPUTS: ClassVar[Arity] = (1, 2)

    weight_xc = weight(_input_weight(3), tagged=True, quantized_by="int8_scale_term")
    bias_c = weight(lambda p: (_directions(p), 4, p.num_output), tagged=True)
    weight_hc = weight(_hidden_weight(3), tagged=True, quantized_by="int8_scale_term")
    weight_xc_int8_scales = _scales(3)
    weight_hc_int8_scales = _scales(3)

    def state_sizes(self) -> tuple[int, ...]:
        return (self.num_output,)
