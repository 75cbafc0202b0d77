"""Layers that the runtime can compute with int8 weights and inputs, by static scales."""

from abc import ABC
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import SSAValue

from ..shapes.analysis import Shapes
from .checks import INT_MAX
from .interfaces import LinearLayer

INT8_OUTPUT = 100
"""The term added to `int8_scale_term` for an int8 output."""


class StaticInt8(LinearLayer, ABC):
    """A linear layer with `int8_scale_term`: int8 sums of products, with one scale per slice of the
    weight's outermost axis and one for the input, then floats.

    `y = activation(sum(int8(weight * scale[c]) * int8(x * input scale)) / (scale[c] * input scale)
    + bias)`, where `int8` rounds halves away from zero and clamps to -127 and 127. The bias is
    float.
    Source: src/layer/convolution.cpp, convolutiondepthwise.cpp, innerproduct.cpp, `forward_int8`.
    """

    INT8_TERM: ClassVar[int] = 2
    """The `int8_scale_term` that ncnn's own tool writes."""
    CAN_WRITE_INT8: ClassVar[bool] = False
    """Whether the runtime can round the output to int8 in the same layer (a term over
    `INT8_OUTPUT`)."""

    if TYPE_CHECKING:
        int8_scale_term: int
        bottom_int8_scales: SSAValue | None

    def int8_term(self) -> int:
        return self.int8_scale_term

    def weight_scale_count(self) -> int:
        """The number of weight scales, one per slice of the outermost axis."""
        return self.num_output

    def computes_int8(self) -> bool:
        """Whether the layer computes with int8 by its own scales."""
        return self.int8_term() != 0 and not self.weights_are_dynamic()

    def largest_sum(self) -> int:
        """The largest absolute sum of products that the runtime computes without overflow."""
        return INT_MAX

    def int8_refusal(self, shapes: Shapes) -> str | None:
        """Return the reason why the layer cannot become int8; `None` if it can."""
        if self.int8_term():
            return "is int8 already"
        if not self.has_float_constants():
            return "its weights are not float constants used by this layer only"
        return None
