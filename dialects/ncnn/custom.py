"""Layers of types that ncnn lacks."""

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any, ClassVar

from xdsl.dialects.builtin import DenseArrayBase, StringAttr, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import opt_prop_def, prop_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..shapes.terms import Extents
from .assembly import parse_attributes, print_attributes
from .blob import BlobConstraint, static_shape_of
from .layer import Arity, VariadicLayer, layer
from .operands import SEGMENTS
from .shape_functions import InvalidShape, infer_function
from .weight_specs import WeightSlot
from .weights import parse_text


def is_pnnx_operator(type_: str) -> bool:
    """Whether a layer type is the name of an operator that PNNX could not lower (`torch.unbind`,
    `aten::addcmul`), not a custom layer of an application."""
    return "." in type_ or "::" in type_


@layer
class CustomOp(VariadicLayer):
    """A layer that the application registers with the runtime. Its raw parameters (`extra`, by id)
    and weights are preserved; it is never rewritten.

    Shapes: defined by the application; known if `shape` declares a shape function
    (`shape_functions.py`).
    Parameters: all in `extra`.
    Example: `%y = ncnn.custom "MyLayer"(%x) weights(%w) {extra = {"0" = 3 : i32}} : (tensor<8xf32>,
    tensor<16xf32>) -> tensor<*xf32>`
    Source: docs/developer-guide/how-to-implement-custom-layer-step-by-step.md.
    """

    name = "ncnn.custom"
    LAYER_TYPE: ClassVar[str] = "Custom"

    type = prop_def(StringAttr)
    weights = var_operand_def(BlobConstraint(5))
    """Untagged float32, in the order of the `.bin`."""
    shape = opt_prop_def(StringAttr)
    """The shape function; no file contains it."""

    NUM_INPUTS: ClassVar[Arity] = (0, None)
    NUM_OUTPUTS: ClassVar[Arity] = (0, None)

    def data_operands(self) -> Sequence[SSAValue]:
        return self.inputs

    def weight_operands(self) -> dict[str, SSAValue | None]:
        return {f"weight{i}": value for i, value in enumerate(self.weights)}

    def weight_slots(self) -> dict[str, WeightSlot]:
        shapes = {n: static_shape_of(v) for n, v in self.weight_operands().items() if v}
        return {n: custom_slot(prod(shape or ())) for n, shape in shapes.items()}

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        try:
            return self.declared_shapes(shapes)
        except InvalidShape:
            return None

    def declared_shapes(self, shapes: Sequence[Extents | None]) -> list[Extents | None] | None:
        """Return the shapes of the results by the shape function; `None` without one. Raise
        `InvalidShape` if it does not fit the layer."""
        if self.shape is None:
            return None
        extra: Mapping[str, Attribute] = {} if self.extra is None else self.extra.data
        inputs = shapes[: len(self.inputs)]
        return infer_function(self.shape.data, inputs, len(self.results), extra)

    def contract_violation(self, shapes: Sequence[Extents | None]) -> str | None:
        try:
            self.declared_shapes(shapes)
        except InvalidShape as e:
            return str(e)
        return None

    def verify_layer(self) -> None:
        try:
            self.declared_shapes([None] * len(self.inputs))
        except InvalidShape as e:
            raise VerifyException(f"{self.label()}: {e}") from e

    def label(self) -> str:
        name = "" if self.layer_name is None else f" '{self.layer_name.data}'"
        return self.type.data + name

    @classmethod
    def parse(cls, parser: Parser) -> "CustomOp":
        type_ = parse_text(parser, "the layer's type")
        data = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, parser.parse_unresolved_operand
        )
        weights: list[Any] = []
        if parser.parse_optional_keyword("weights"):
            weights = parser.parse_comma_separated_list(
                parser.Delimiter.PAREN, parser.parse_unresolved_operand
            )
        properties, attributes = parse_attributes(cls, parser)
        parser.parse_punctuation(":")
        pos = parser.pos
        function = parser.parse_function_type()
        operands = parser.resolve_operands([*data, *weights], function.inputs.data, pos)
        counts = DenseArrayBase.from_list(i32, [len(data), len(weights)])
        own = {"type": StringAttr(type_), SEGMENTS: counts}
        return cls.create(
            operands=operands,
            result_types=function.outputs.data,
            properties={**properties, **own},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.type.data)
        with printer.in_parens():
            printer.print_list(self.inputs, printer.print_operand)
        if self.weights:
            printer.print_string(" weights")
            with printer.in_parens():
                printer.print_list(self.weights, printer.print_operand)
        print_attributes(self, printer, hidden=("type",))
        printer.print_string(" : ")
        printer.print_function_type(self.operand_types, self.result_types)

    def macs(self) -> int | None:
        return None


def custom_slot(count: int) -> WeightSlot:
    """Declare a custom layer's weight: `count` untagged float32."""
    return WeightSlot(lambda params: (count,), False, lambda params: True, False)
