"""Convolutions whose weights are operands."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue

from ...dialects.ncnn.blob import blob
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.convolution import ConvolutionDepthWiseOp, ConvolutionOp
from ...dialects.ncnn.params import Value
from ...dialects.ncnn.structure import SplitOp
from ...dialects.pnnx.cast import CastOp
from ...dialects.pnnx.operations import OperatorOp
from .legalization import Layers, Legalization, Shape, shapes_of


class LegalizeConvolution(Legalization):
    """`conv2d` whose weight and bias are operands (a module that is used several times) as
    Convolution or ConvolutionDepthWise: with weights of its own where the operands are constants,
    else with dynamic weights.

    Conditions: a batch of one; stride, padding and dilation are numbers, the padding is of zeros,
    and the result's shape follows.
    """

    TYPES: ClassVar[frozenset[str]] = frozenset(("nn.Conv2d", "F.conv2d"))

    def legalize(self, op: OperatorOp, layers: Layers) -> Sequence[SSAValue] | None:
        shapes = shapes_of(op)
        operands = self.operands(op)
        if shapes is None or operands is None or len(op.outputs) != 1:
            return None
        by_value = dict(zip(op.inputs, shapes[0], strict=True))
        x, weight, bias = operands
        params = window_of(op, by_value[x], by_value[weight], shapes[1][0])
        if params is None or (bias is not None and by_value[bias] != by_value[weight][:1]):
            return None
        weights = {"weight": weight} | ({} if bias is None else {"bias": bias})
        taken = {name: constant_behind(value) for name, value in weights.items()}
        if all(taken.values()):
            given = {n: self.copied(layers, c, by_value[weights[n]]) for n, c in taken.items() if c}
        else:
            given = {n: layers.blob(v, by_value[v]) for n, v in weights.items()}
        cls = ConvolutionOp if params.get("group", 1) == 1 else ConvolutionDepthWiseOp
        params = {k: v for k, v in params.items() if k in cls.PARAMS}
        image = layers.blob(x, by_value[x][1:])
        made = cls.make([image], given, [blob(shapes[1][0][1:])], {})
        made.init_params(params)
        layers.insert(made)
        return made.results

    def operands(self, op: OperatorOp) -> tuple[SSAValue, SSAValue, SSAValue | None] | None:
        """Input, weight and bias: by their keys, or where they have none the weights first."""
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

    def copied(self, layers: Layers, constant: ConstantOp, shape: Shape) -> SSAValue:
        """A weight of the layer's own with the values of a constant."""
        own = ConstantOp.of(constant.value, TensorType(element_of(constant), shape))  # pyright: ignore
        layers.insert(own)
        return own.output


def element_of(constant: ConstantOp) -> Attribute:
    """The element type of a constant."""
    type_: Any = constant.output.type
    return type_.element_type


def constant_behind(value: SSAValue) -> ConstantOp | None:
    """The constant that an operand is, with nothing but casts and Splits between."""
    while True:
        maker = value.owner
        if isinstance(maker, CastOp) and maker.batches() == (None, None):
            value = maker.input
        elif isinstance(maker, SplitOp):
            value = maker.inputs[0]
        else:
            break
    return value.owner if isinstance(value.owner, ConstantOp) else None


def window_of(op: OperatorOp, x: Shape, weight: Shape, out: Shape) -> Mapping[str, Value] | None:
    """The parameters of the layer; `None` where there is none."""
    if len(x) != 4 or len(weight) != 4 or x[0] != 1 or op.param("padding_mode", "zeros") != "zeros":
        return None
    groups = op.param("groups", 1)
    pairs = {
        key: pair
        for key, default in (("stride", 1), ("padding", 0), ("dilation", 1))
        if (pair := pair_of(op.param(key, default))) is not None
    }
    if len(pairs) != 3 or not isinstance(groups, int) or groups * weight[1] != x[1]:
        return None
    extents = [
        (n + 2 * pad - step * (k - 1) - 1) // stride + 1
        for n, k, pad, step, stride in zip(
            x[2:], weight[2:], pairs["padding"], pairs["dilation"], pairs["stride"], strict=True
        )
    ]
    if out != (1, weight[0], *extents):
        return None
    return {
        "num_output": weight[0],
        "group": groups,
        **{f"kernel_{a}": n for a, n in zip("hw", weight[2:], strict=True)},
        **{f"stride_{a}": n for a, n in zip("hw", pairs["stride"], strict=True)},
        **{f"dilation_{a}": n for a, n in zip("hw", pairs["dilation"], strict=True)},
        **{k: pairs["padding"][0] for k in ("pad_top", "pad_bottom")},
        **{k: pairs["padding"][1] for k in ("pad_left", "pad_right")},
    }


def pair_of(value: object) -> tuple[int, int] | None:
    """A number for h and for w, of a parameter that may be anything."""
    if isinstance(value, int):
        return value, value
    match value:
        case (int(a), int(b)):
            return a, b
        case (int(a),):
            return a, a
        case _:
            return None
