"""Convolutions whose weights are operands."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue

from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.convolution import ConvolutionDepthWiseOp, ConvolutionOp
from ...dialects.ncnn.params import Value
from ...dialects.ncnn.structure import SplitOp
from ...dialects.pnnx.cast import CastOp
from ...dialects.pnnx.operations import OperatorOp
from ...dialects.shapes.windows import Window
from ..rewriting.layer_builder import Shape
from .legalization import Legalization, TensorBuilder


class LegalizeConvolution(Legalization):
    """Replace `conv2d` whose weight and bias are operands (a module that is used several times) by
    Convolution or ConvolutionDepthWise. The layer gets copies of constant weights, else dynamic
    weights.

    Conditions: the batch is one; stride, padding and dilation are numbers; the padding is zero
    padding; the result's shape follows.
    """

    TYPES: ClassVar[frozenset[str]] = frozenset(("nn.Conv2d", "F.conv2d"))
    NUM_TENSORS: ClassVar[int | None] = None

    def legalize(self, op: OperatorOp, b: TensorBuilder) -> Sequence[SSAValue] | None:
        operands = self.operands(op)
        if operands is None:
            return None
        shapes, out = dict(zip(op.inputs, b.inputs, strict=True)), b.outputs[0]
        x, weight, bias = operands
        params = params_of(op, shapes[x], shapes[weight], out)
        if params is None or (bias is not None and shapes[bias] != shapes[weight][:1]):
            return None
        weights = {"weight": weight} | ({} if bias is None else {"bias": bias})
        constants = {name: constant_behind(value) for name, value in weights.items()}
        if all(constants.values()):
            given = {n: self.copy(b, c, shapes[weights[n]]) for n, c in constants.items() if c}
        else:
            given = {n: b.reshape(v, shapes[v]) for n, v in weights.items()}
        cls = ConvolutionOp if params.get("group", 1) == 1 else ConvolutionDepthWiseOp
        params = {k: v for k, v in params.items() if k in cls.PARAMS}
        image = b.reshape(x, shapes[x][1:])
        return b.layer_with_weights(cls, [image], given, out[1:], **params)

    def operands(self, op: OperatorOp) -> tuple[SSAValue, SSAValue, SSAValue | None] | None:
        """Return input, weight and bias. If they have no keys, the weights precede the input."""
        x, weight = op.input_named("input"), op.input_named("weight")
        if x is not None and weight is not None:
            return x, weight, op.input_named("bias")
        types = op.weight_types()
        values = list(op.inputs)
        if "weight" not in types or len(values) != len(types) + 1:
            return None
        by_type: dict[Attribute, SSAValue] = {v.type: v for v in values[:-1]}
        found = [by_type.get(types[key]) for key in ("weight", "bias") if key in types]
        if None in found or len(by_type) != len(types):
            return None
        return values[-1], found[0] or values[-1], found[1] if len(found) > 1 else None

    def copy(self, b: TensorBuilder, constant: ConstantOp, shape: Shape) -> SSAValue:
        """Insert a copy of a constant as a weight of the layer."""
        type_: Any = constant.output.type
        type_ = TensorType(type_.element_type, shape)
        own = ConstantOp.of(constant.value, type_)  # pyright: ignore[reportArgumentType]
        b.insert(own)
        return own.output


def constant_behind(value: SSAValue) -> ConstantOp | None:
    """Return the constant that is an operand, perhaps through casts and Splits; else `None`."""
    while True:
        maker = value.owner
        if isinstance(maker, CastOp) and maker.batches() == (None, None):
            value = maker.input
        elif isinstance(maker, SplitOp):
            value = maker.inputs[0]
        else:
            break
    return value.owner if isinstance(value.owner, ConstantOp) else None


def params_of(op: OperatorOp, x: Shape, weight: Shape, out: Shape) -> Mapping[str, Value] | None:
    """Return the layer's parameters; `None` if no layer computes the operator."""
    if len(x) != 4 or len(weight) != 4 or x[0] != 1 or op.param("padding_mode", "zeros") != "zeros":
        return None
    groups, kernel = op.param("groups", 1), weight[2:]
    strides, pads = pair_of(op.param("stride", 1)), pair_of(op.param("padding", 0))
    dilations = pair_of(op.param("dilation", 1))
    if strides is None or pads is None or dilations is None:
        return None
    if not isinstance(groups, int) or groups * weight[1] != x[1]:
        return None
    window = Window(kernel, strides, dilations, tuple((n, n) for n in pads))
    if out != (1, weight[0], *window.places(x[2:])):
        return None
    along = {"kernel": kernel, "stride": strides, "dilation": dilations}
    return {
        "num_output": weight[0],
        "group": groups,
        **{
            f"{name}_{axis}": n
            for name, pair in along.items()
            for axis, n in zip("hw", pair, strict=True)
        },
        **dict.fromkeys(("pad_top", "pad_bottom"), pads[0]),
        **dict.fromkeys(("pad_left", "pad_right"), pads[1]),
    }


def pair_of(value: object) -> tuple[int, int] | None:
    """Return the numbers for h and w of a parameter; `None` if it has others."""
    match value:
        case int(a):
            return a, a
        case (int(a), int(b)):
            return a, b
        case (int(a),):
            return a, a
        case _:
            return None
