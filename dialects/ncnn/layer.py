"""The base of all layers: declaration, verification and access.

A layer is one class. It declares its parameters (`params.py`) and weights (`weight_specs.py`) once,
with ncnn's ids and in ncnn's order. Import, verification, printing and export all use these
declarations.
"""

from abc import ABC
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr, f32
from xdsl.interfaces import HasCanonicalizationPatternsInterface
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.pattern_rewriter import RewritePattern
from xdsl.traits import EffectInstance, MemoryEffect
from xdsl.utils.exceptions import VerifyException

from ..shapes.analysis import InfersShapes, numbers
from ..shapes.terms import Extents
from .blob import (
    BlobConstraint,
    BlobType,
    agree,
    blob,
    extents_in,
    run_time_element,
    shape_of,
    static_shape_of,
)
from .checks import check_range
from .cost import Cost, Memory
from .declaration import complete_declaration
from .operands import SEGMENTS, arrange_operands, weights_of
from .params import DerivedParam, Param, Value, encode, int_param, ints_param, kind_of
from .weight_specs import Pattern, Shape, WeightSlot, pattern_text

if TYPE_CHECKING:
    from xdsl.parser import Parser
    from xdsl.printer import Printer

Arity = tuple[int, int | None]
"""The minimum and maximum number of blobs; `None`: no bound."""

DESCRIPTIONS = frozenset(("name", "blobs", "shape_hints"))
"""The properties of a layer without effect on what it computes."""


class LayerEffects(MemoryEffect):
    """Layers are pure, but a layer without results is kept in place, and so is an Input."""

    @classmethod
    def get_effects(cls, op: Operation) -> frozenset[EffectInstance] | None:
        return frozenset() if op.results and cast(LayerOp, op).REMOVABLE else None


class LayerOp(IRDLOperation, Cost, InfersShapes, HasCanonicalizationPatternsInterface, ABC):
    """The base of all layers.

    Derive a layer from `UnaryLayer` or `VariadicLayer`, not directly from it, and decorate it with
    `@layer`.

    The docstring of a layer has its formula and its `Shapes:`, unless a base has these.
    `Parameters:` has what the declarations do not say, and `Source:` what there is besides
    `src/layer/<type>.cpp`.
    """

    layer_name = opt_prop_def(StringAttr, prop_name="name")
    blob_names = opt_prop_def(ArrayAttr[StringAttr], prop_name="blobs")
    """The names of the results; omitted if the only result has the layer's name."""
    featmask = int_param(31)
    """Runtime features that the layer must not use (`Option` bits; ncnn's layer-feat-mask)."""
    shape_hints = ints_param(30)
    """Shape hints of the results from the file: dims, w, h, (d,) c for each."""
    extra = opt_prop_def(DictionaryAttr)
    """Undeclared parameters by id: preserved, never interpreted."""

    traits = traits_def(LayerEffects())

    LAYER_TYPE: ClassVar[str]
    """ncnn's name of the layer type."""
    PARAMS: ClassVar[Mapping[str, Param | DerivedParam]]
    """The declared parameters by name."""
    PARAMS_BY_ID: ClassVar[Mapping[int, tuple[str, Param | DerivedParam]]]
    """The declared parameters and their names by id."""
    BOUNDS: ClassVar[Mapping[str, tuple[int, int]]]
    """The parameters with bounds (`Param.within`)."""
    WEIGHTS: ClassVar[Mapping[str, WeightSlot]]
    """The declared weights by name, in the order of the `.bin`."""
    OPTIONAL_WEIGHTS: ClassVar[Collection[str]]
    """The weights that may be omitted."""
    REMOVABLE: ClassVar[bool] = True
    """Whether the layer is dead if its results have no users."""
    NUM_DATA: ClassVar[int | None]
    """The number of operands that are blobs of the graph, `None` if it varies."""
    NUM_INPUTS: ClassVar[Arity] = (1, 1)
    """The minimum and maximum number of input blobs; `None`: no bound."""
    NUM_OUTPUTS: ClassVar[Arity] = (1, 1)
    """The minimum and maximum number of output blobs; `None`: no bound."""
    IGNORES_MORE: ClassVar[bool] = False
    """See `ignores_more`."""

    def infer_types(self, types: Sequence[Attribute] | None = None) -> Sequence[BlobType] | None:
        """Infer the result types, as precisely as possible, from the operand types (default: the
        present ones) and parameters only. Return `None` if nothing is known.

        See `infer_shapes` and `infer_elements`.
        """
        given = self.operand_types if types is None else types
        shapes = self.infer_shapes([extents_in(type_) for type_ in given])
        if shapes is None:
            return None
        elements = self.infer_elements(
            [run_time_element(v, type_) for v, type_ in zip(self.operands, given, strict=False)]
        )
        return [
            blob(None if extents is None else numbers(extents), element)
            for extents, element in zip(shapes, elements, strict=False)
        ]

    def infer_elements(self, elements: Sequence[Attribute]) -> Sequence[Attribute]:
        """Infer the element types of the results from the operands' element types; float32 by
        default."""
        return [f32] * len(self.results)

    def data_operands(self) -> Sequence[SSAValue]:
        """The operands that are blobs of the graph, not weights of this layer."""
        operands = self.operands
        if self.NUM_DATA is not None:
            return operands[: self.NUM_DATA]
        weights = sum(1 for v in self.weight_operands().values() if v is not None)
        return operands[: len(operands) - weights]

    def weight_operands(self) -> dict[str, SSAValue | None]:
        """The weights by name, in the order of the `.bin`; `None` for an omitted one."""
        return weights_of(self)

    def weights_are_dynamic(self) -> bool:
        """Whether the weights are blobs of the graph instead of constants of this layer."""
        return False

    @classmethod
    def dynamic_by(cls, params: Any) -> bool:
        """Whether a file's parameters make the weights further input blobs."""
        return bool(getattr(params, "dynamic_weight", 0))

    @classmethod
    def ignores_more(cls, params: Any) -> bool:
        """Whether the runtime accepts a layer of these parameters with more inputs than it reads,
        and ignores the rest. (It refuses them for a layer registered as `one_blob_only`; other
        layers read all inputs.)"""
        return cls.IGNORES_MORE or cls.dynamic_by(params)

    def keeps_int8(self) -> bool:
        """Whether the layer commutes with int8 quantization for any scale: the runtime on x86 and
        arm computes int8 results directly from an int8 blob."""
        return False

    def expected_input_shapes(self) -> Sequence[Pattern]:
        """The shapes of the first input that fit the layer's weights, the most common first; empty
        if all do."""
        return ()

    def expected_elements(self) -> int | None:
        """The number of elements that an input of any shape must have; `None` without such a
        number."""
        return None

    def expected_state(self, index: int) -> Shape | None:
        """Return the shape of the state that the operand `index` is; `None` if it is none."""
        return None

    def contract_violation(self, shapes: Sequence[Extents | None]) -> str | None:
        """Return the reason why operands of these shapes provably violate the layer's contract (its
        weights, parameters, or the other operands); `None` if they may be valid. (The runtime
        accepts most violations and computes a result.)"""
        patterns, shape = self.expected_input_shapes(), shapes[0]
        if not patterns or shape is None or any(fits(shape, pattern) for pattern in patterns):
            return None
        return f"takes {' or '.join(map(pattern_text, patterns[:2]))} by its weights"

    @classmethod
    def required_weights(cls) -> list[str]:
        """The weights that the layer always has."""
        return [n for n in cls.WEIGHTS if n not in cls.OPTIONAL_WEIGHTS]

    def set_weights(self, **values: SSAValue | None) -> None:
        """Replace weights by name; `None` removes one."""
        data, weights = self.data_operands(), {**self.weight_operands(), **values}
        self.operands, segments = arrange_operands(type(self), data, weights)
        self.properties.update(segments)

    @classmethod
    def make(
        cls,
        data: Sequence[SSAValue],
        weights: Mapping[str, SSAValue | None],
        result_types: Sequence[Attribute],
        properties: Mapping[str, Attribute],
        attributes: Mapping[str, Attribute] | None = None,
    ) -> Self:
        """Build a layer from input blobs, weights by name, result types and properties."""
        operands, segments = arrange_operands(cls, data, weights)
        return cls.create(
            operands=operands,
            result_types=result_types,
            properties={**properties, **segments},
            attributes=dict(attributes or {}),
        )

    def weight_slots(self) -> Mapping[str, WeightSlot]:
        """The declarations of `weight_operands`."""
        return self.WEIGHTS

    def label(self) -> str:
        """Return the layer's name for messages: `Convolution 'conv1'`."""
        name = self.layer_name
        return self.LAYER_TYPE if name is None else f"{self.LAYER_TYPE} '{name.data}'"

    def init_params(self, values: Mapping[str, Value]) -> None:
        """Set the parameters of a new operation by name; others have their defaults."""
        for name, param in self.PARAMS.items():  # a default's references come before it
            if isinstance(param, Param) and name in values:
                attr = encode(param.kind, values[name])
                default = encode(param.kind, param.default_for(self))
                if attr is not default and attr != default:  # mostly identical
                    self.properties[name] = attr

    def parameters(self) -> dict[str, Attribute]:
        """Return the properties that decide what the layer computes from its operands."""
        own = self.properties.items()
        return {key: each for key, each in own if key not in DESCRIPTIONS and key != SEGMENTS}

    def set_params(self, **values: Value) -> None:
        """Assign parameters by name. The resolved values of others and the canonical form (no
        property that equals its default) are kept."""
        # Only computed defaults may change with other parameters.
        computed = [
            n for n, p in self.PARAMS.items() if isinstance(p, Param) and callable(p.default)
        ]
        wanted: dict[str, Value] = {n: getattr(self, n) for n in computed} | values
        for name in wanted:
            self.properties.pop(name, None)
        self.init_params(wanted)

    def verify_(self) -> None:
        self.verify_parts()
        follows = self.infer_types() or ()
        for i, (result, type_) in enumerate(zip(self.results, follows, strict=False)):
            if not agree(shape_of(result), shape_of(type_)):
                raise VerifyException(
                    f"{self.label()}: output {i} is {result.type}, but {type_} follows from the "
                    "inputs and parameters"
                )

    def verify_parts(self) -> None:
        """Check names, parameters and weights, but not result types. Raises `VerifyException`."""
        for values, what, (least, most) in (
            (self.data_operands(), "input", self.NUM_INPUTS),
            (self.results, "output", self.NUM_OUTPUTS),
        ):
            if len(values) < least or (most is not None and len(values) > most):
                several = f"at least {least}" if most is None else f"{least} to {most}"
                bound = least if least == most else several
                raise VerifyException(
                    f"{self.label()}: {len(values)} {what}s, but the layer has {bound}"
                )
        weights, dynamic = self.weight_operands(), self.weights_are_dynamic()
        for name, slot in self.weight_slots().items():
            value = weights[name]
            if slot.when(self) != (value is not None):
                state = "is missing" if value is None else "contradicts the parameters"
                raise VerifyException(f"{self.label()}: weight '{name}' {state}")
            if value is None or dynamic:
                continue
            try:
                shape, expected = static_shape_of(value), slot.shape(self)
            except VerifyException as e:
                raise VerifyException(f"{self.label()}: {e}") from e
            if shape != expected:
                has = value.type if shape is None else _x(shape)
                raise VerifyException(
                    f"{self.label()}: weight '{name}' has shape {has}, "
                    f"but the parameters need {_x(expected)}"
                )
        if self.blob_names is not None and len(self.blob_names) != len(self.results):
            raise VerifyException(
                f"{self.label()}: {len(self.blob_names)} blob names for {len(self.results)} blobs"
            )
        if self.extra is not None:
            self.verify_extra(self.extra.data)
        for name, bounds in self.BOUNDS.items():
            check_range(self, *bounds, name)
        self.verify_layer()

    def verify_extra(self, extra: Mapping[str, Attribute]) -> None:
        """Check that these are parameters with ids that the layer does not declare."""
        for key, attr in extra.items():
            if not key.isdecimal() or int(key) > 31:
                raise VerifyException(f"{self.label()}: '{key}' is not a parameter id")
            if (declared := self.PARAMS_BY_ID.get(int(key))) is not None:
                raise VerifyException(
                    f"{self.label()}: parameter {key} is '{declared[0]}', not an extra one"
                )
            if kind_of(attr) is None:
                raise VerifyException(f"{self.label()}: {attr} is not a value of a parameter")

    def verify_layer(self) -> None:
        """Check constraints of this layer type beyond its declaration. Raises `VerifyException`."""

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        return _canonicalization_patterns(cls)

    @classmethod
    def parse(cls, parser: "Parser") -> "LayerOp":
        from .assembly import parse_layer

        return parse_layer(cls, parser)

    def print(self, printer: "Printer") -> None:
        from .assembly import print_layer

        print_layer(self, printer)


@cache
def _canonicalization_patterns(cls: type[LayerOp]) -> tuple[RewritePattern, ...]:
    # The one upward import: xDSL queries the operation for its patterns, which live in transforms/.
    from ...transforms.canonicalization.patterns import patterns_for

    return patterns_for(cls)


def fits(shape: Extents, pattern: Pattern) -> bool:
    """Whether a shape, as far as it is known, may match a pattern."""
    return len(shape) == len(pattern) and all(
        n is None or n == m or not isinstance(m, int) for m, n in zip(shape, pattern, strict=True)
    )


def _x(shape: Shape) -> str:
    return "x".join(map(str, shape))


class KeepsElements(LayerOp, ABC):
    """A layer whose outputs have the element type of its first input."""

    def infer_elements(self, elements: Sequence[Attribute]) -> Sequence[Attribute]:
        return [elements[0]] * len(self.results)


class UnaryLayer(LayerOp, ABC):
    """A layer with one input and one output (ncnn's `one_blob_only`)."""

    input = operand_def(BlobConstraint())
    output = result_def(BlobConstraint())


class KeepsShape(LayerOp, ABC):
    """A layer whose outputs have the shape of its first input."""

    def keeps_shape(self) -> bool:
        return True


class SameShapeLayer(KeepsElements, KeepsShape, UnaryLayer, ABC):
    """A unary layer whose output has the input's type.

    Shapes: any of 1 to 4 dims -> the same.
    """

    MEMORY: ClassVar[Memory] = Memory.IN_PLACE


class VariadicLayer(LayerOp, ABC):
    """A layer with any number of inputs and outputs, bounded by `NUM_INPUTS` and `NUM_OUTPUTS`."""

    inputs = var_operand_def(BlobConstraint())
    outputs = var_result_def(BlobConstraint())


_LayerT = TypeVar("_LayerT", bound=LayerOp)


def layer(cls: type[_LayerT]) -> type[_LayerT]:
    """Make a declared class an operation."""
    complete_declaration(cls)
    return cls
