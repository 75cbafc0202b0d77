"""Two consecutive 1x1 convolutions as one."""

from xdsl.dialects.builtin import f32
from xdsl.pattern_rewriter import PatternRewriter, op_type_rewrite_pattern

from ...analysis.shapes import shapes_of
from ...dialects.ncnn.convolution import ConvolutionOp
from ...dialects.ncnn.normalization import read_float64
from ...dialects.ncnn.spatial import kernel_of, pads_of
from ..rewriting.growth import Growth, NewWeight, constants_freed_by
from ..rewriting.pattern_set import LayerReplacement
from .precision import FLOAT16
from .rewriting import all_finite, new_weight, only_producer, stored_as


class ComposeConvolutions(LayerReplacement):
    """Replace two 1x1 Convolutions without an activation between them by one, where it needs fewer
    multiplications.

    Algebra: `V (W x + b) + c = (V W) x + (V b + c)` for each pixel. For a channels that become b
    and then c, `a c` multiplications replace `a b + b c`.

    Conditions, and why:
    - both kernels are one pixel and have no padding: with padding, the second Convolution would
      read 0 instead of b outside of the image. (For larger kernels, the runtime has faster code for
      many channels, Winograd's algorithm, than for the few that would remain.)
    - the first Convolution has stride 1 and no activation; its result has this one use and is no
      output;
    - the weights are float constants that no other layer uses;
    - all new values are finite, and the runtime represents them as precisely as the old ones
      (`precision`).
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ConvolutionOp, rewriter: PatternRewriter) -> None:
        first = only_producer(op.input, op)
        if not isinstance(first, ConvolutionOp) or first.activation_type:
            return
        if not all(is_pointwise(each) for each in (first, op)):
            return
        if first.stride_w != 1 or first.stride_h != 1:
            return
        inputs, between, outputs = first.num_input(), first.num_output, op.num_output
        if op.num_input() != between or inputs * outputs >= between * (inputs + outputs):
            return
        shape = shapes_of(rewriter).of(first.input)
        if shape is None or len(shape) != 3:
            return
        weights = [read_float64(each.weight) for each in (first, op)]
        biases = [None if v is None else read_float64(v) for v in (first.bias, op.bias)]
        if any(v is None for v in weights):
            return
        if any(v is None and b is not None for v, b in zip(biases, (first.bias, op.bias))):
            return
        import numpy as np

        inner, outer = (w.reshape(len(w), -1) for w in weights)
        weight = outer @ inner
        bias = np.zeros(outputs) if biases[1] is None else biases[1]
        bias = bias if biases[0] is None else bias + outer @ biases[0]
        if not all_finite((weight, bias)) or not FLOAT16.keeps(weight, inner, outer):
            return
        template = op.weight if stored_as(op.weight) == f32 else first.weight
        weight, summand = weight.reshape(*weight.shape, 1, 1), op.bias or first.bias
        made: list[NewWeight] = [
            (weight, template),
            *([] if summand is None else [(bias, summand)]),
        ]
        growth = Growth.of_replacing(
            op, [*constants_freed_by(first), *constants_freed_by(op)], made
        )
        if not growth.is_allowed(self, op, first):
            return
        growth.record()
        if summand is not None:
            summand = new_weight(bias, summand, op, rewriter)
        op.set_linear(new_weight(weight, template, op, rewriter), summand)
        op.operands[0] = first.input
        rewriter.notify_op_modified(op)
        rewriter.erase(first)


def is_pointwise(op: ConvolutionOp) -> bool:
    """Whether a Convolution has float constants, a 1x1 kernel and no padding."""
    return kernel_of(op) == (1, 1) and not any(pads_of(op)) and op.has_float_constants()
