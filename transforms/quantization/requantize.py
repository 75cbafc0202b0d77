"""int8 from layer to layer: one rounding to int8, and a quarter of the bytes between layers."""

from collections.abc import Iterator

import numpy as np
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.rewriter import InsertPoint

from ...dialects.ncnn.constant import ConstantOp, attached_constant
from ...dialects.ncnn.convolution import Int8Convolution
from ...dialects.ncnn.int8 import INT8_OUTPUT, StaticInt8
from ...dialects.ncnn.layer import LayerOp
from ..rewriting.remarks import emit_remark


class FuseRequantize(RewritePattern):
    """Let an int8 convolution round its output to int8, instead of each int8 layer that reads it.

    Algebra: a reader computes with `int8(y * s)`, where s is the scale of its input. The
    convolution can compute this from its float y. A layer f between them may get integers if
    `f(int8(y * s)) = int8(f(y) * s)`: Split, Flatten, Padding with 0, and ReLU, since
    `max(int8(y * s), 0) = int8(max(y, 0) * s)`.

    Conditions, and why:
    - the convolution is an int8 Convolution or ConvolutionDepthWise with float output (InnerProduct
      cannot write int8);
    - only int8 layers read its output and the outputs of the layers between, and none of these
      blobs is an output of the model: a blob is either int8 or float;
    - all readers have the same scale, to the bit, since there is one rounding for all;
    - the runtime has the layers between in int8 (`LayerOp.keeps_int8`). It has no int8 code for
      Pooling, which reads int8 as float32. Concat works only where the packing of channels agrees
      (on x86 with AVX-512), Crop only for some packings, as tests in the runtime showed. These
      layers get floats.

    ncnn2int8 does this for one reader, and for Splits of Convolutions.
    """

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, Int8Convolution) or not op.computes_int8() or op.writes_int8():
            return
        if op.extra or not op.CAN_WRITE_INT8:
            return
        readers = list(_readers(op.output))
        scales = {None if reader is None else _input_scale(reader) for reader in readers}
        if len(scales) != 1 or (scale := scales.pop()) is None:
            return
        own = op.output.name_hint
        hint = None if own is None else f"{own}_top_int8_scales"
        new = ConstantOp.holding(np.array([scale], "f4"), hint=hint)
        told = [reader for reader in dict.fromkeys(readers) if reader is not None]
        emit_remark(self, op, *told)
        rewriter.insert(new, InsertPoint.before(op))
        op.set_params(int8_scale_term=op.int8_scale_term + INT8_OUTPUT)
        op.set_weights(top_int8_scales=new.output)
        rewriter.notify_op_modified(op)


def _readers(value: SSAValue) -> Iterator[StaticInt8 | None]:
    """Yield the int8 layers that read a blob, also through layers that keep int8; `None` for any
    other reader."""
    for use in value.uses:
        user = use.operation
        if isinstance(user, LayerOp) and user.keeps_int8() and not user.extra:
            for result in user.results:
                yield from _readers(result)
        elif isinstance(user, StaticInt8) and user.computes_int8() and use.index == 0:
            yield user
        else:
            yield None


def _input_scale(reader: StaticInt8) -> float | None:
    """Return the scale of a layer's input, if it is known."""
    constant = attached_constant(reader.bottom_int8_scales)
    if constant is None or not constant.has_values():
        return None
    return float(constant.read()[0])
