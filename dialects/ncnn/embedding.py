"""Look-up of rows in a table: Embed."""

from collections.abc import Sequence

from ..shapes.terms import UNKNOWN, Extents
from .checks import check
from .cost import elements
from .layer import UnaryLayer, layer
from .params import int_param
from .quantization import DynamicInt8
from .weight_specs import matrix_shape, optional_weight, weight, weight_flag, weight_size


@layer
class EmbedOp(DynamicInt8, UnaryLayer):
    """A row of the weight for each index: `y[i] = weight[min(max(x[i], 0), input_dim - 1)] + bias`.
    The elements of x are int32, regardless of the blob's type.

    Shapes: `n` -> `n x num_output`.
    """

    num_output = int_param(0)
    """The columns of the weight."""
    input_dim = int_param(1)
    """The rows of the weight that an index can select."""
    int8_scale_term = int_param(18)
    """0: float; otherwise an int8 weight with the scale below."""

    weight = weight(lambda p: matrix_shape(p)[::-1], tagged=True, quantized_by="int8_scale_term")
    bias = optional_weight(lambda p: (p.num_output,), when=lambda p: p.bias_term)
    weight_int8_scale = optional_weight(
        lambda p: (1,), when=lambda p: p.int8_scale_term, positive=True
    )
    bias_term = weight_flag(2, "bias")
    weight_data_size = weight_size(3, "weight")

    def verify_layer(self) -> None:
        rows = self.weight_data_size // self.num_output if self.num_output else 0
        check(
            self,
            self.input_dim <= rows,
            f"input_dim is {self.input_dim}, but the weight has {rows}",
        )

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        shape = shapes[0]
        return [(UNKNOWN if shape is None else shape[-1], self.num_output)]

    def other_flops(self) -> int | None:
        return 0 if self.bias is None else elements(self.output)
