"""Matrix products with a weight: InnerProduct. (Gemm and MatMul are in matmul.py.)"""

from collections.abc import Sequence
from functools import partial
from math import prod

from ..shapes.analysis import Shapes
from ..shapes.terms import Extents, ExtentTerm
from .blob import static_shape_of
from .extents import count_of, differ
from .int8 import StaticInt8
from .interfaces import ChannelAxis
from .layer import UnaryLayer, layer
from .params import int_param
from .weight_specs import Pattern, matrix_shape, optional_weight, weight, weight_flag, weight_size


@layer
class InnerProductOp(StaticInt8, UnaryLayer):
    """Fully connected layer: `y = activation(weight @ x + bias)`.

    Shapes: any blob, flattened -> `num_output`; but `h x num_input` is a batch of rows ->
    `h x num_output`.
    """

    num_output = int_param(0)
    """The number of output features."""
    int8_scale_term = int_param(8)
    """0: float; otherwise int8 inference with the scales below."""

    weight = weight(matrix_shape, tagged=True, quantized_by="int8_scale_term")
    bias = optional_weight(lambda p: (p.num_output,), when=lambda p: p.bias_term)
    weight_int8_scales = optional_weight(
        lambda p: (p.num_output,), when=lambda p: p.int8_scale_term, positive=True
    )
    bottom_int8_scales = optional_weight(
        lambda p: (1,), when=lambda p: p.int8_scale_term, positive=True
    )
    bias_term = weight_flag(1, "bias")
    weight_data_size = weight_size(2, "weight")

    def num_input(self) -> int:
        return self.weight_data_size // self.num_output

    def expected_input_shapes(self) -> Sequence[Pattern]:
        return [(self.num_input(),), (None, self.num_input())]

    def contract_violation(self, shapes: Sequence[Extents | None]) -> str | None:
        # Any other blob with this number of elements is flattened.
        other = differ(count_of(shapes[0]), self.num_input())
        return super().contract_violation(shapes) if other else None

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        shape = shapes[0]
        if shape is None:
            return None
        if len(shape) != 2:
            return [(self.num_output,)]
        if not isinstance(shape[1], int):
            return None  # a batch of rows or one matrix: depends on a dynamic extent
        rows = shape[1] == self.num_input()
        return [(shape[0], self.num_output) if rows else (self.num_output,)]

    def linear_output(self, shapes: Shapes) -> ChannelAxis:
        # In a batch of rows, the outermost axis is the row, not the feature.
        return ChannelAxis(self.num_output, partial(shapes.of, self.output), innermost=True)

    def linear_input(self, shapes: Shapes) -> ChannelAxis:
        inputs, shape = self.num_input(), shapes.of(self.input)
        match shape:
            case (_,):
                return ChannelAxis(inputs, shape)
            case (_, columns) if columns == inputs:
                return ChannelAxis(inputs, shape, innermost=True)
            case (_, ExtentTerm()):
                pass  # a batch of rows, or one matrix
            case (int(channels), *_) if inputs % channels == 0:
                return ChannelAxis(channels, shape)  # flattened
            case _:
                pass
        return ChannelAxis(inputs, None, innermost=True)

    def positions(self) -> int | None:
        shape = static_shape_of(self.output)
        return None if shape is None else prod(shape[:-1])
