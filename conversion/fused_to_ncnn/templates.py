"""The formulas to search for in an epilogue: each layer's formula with free parameters."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from xdsl.dialects.builtin import TensorType, f32, i32
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.ncnn import LAYERS
from ...dialects.ncnn.activation import GELUOp, PReLUOp, ReLUOp
from ...dialects.ncnn.elementwise import BINARY_OPS, BinaryOpOp
from ...dialects.ncnn.formulas import Arg, Call, Const, NoFormula, Symbol, Term
from ...dialects.ncnn.interfaces import (
    Activation,
    ElementWise,
    Forwarding,
    FusableActivation,
    HasFormula,
)
from ...dialects.ncnn.layer import LayerOp, UnaryLayer
from ...dialects.ncnn.normalization import ScaleOp
from ...dialects.ncnn.params import Value
from ...dialects.ncnn.quantization import DequantizeOp, QuantizeOp
from ...dialects.ncnn.unary import UNARY_OPS, AbsValOp, ExpOp, LogOp, UnaryOpOp
from ...transforms.canonicalization.fused_scalars import Scalars
from ...transforms.rewriting.scalar_code import missing_operations
from ..epilogues.unification import Bindings, Weight, neutral_operands, unify


class Params:
    """The parameters of a layer: fixed values; other parameters are symbols."""

    def __init__(self, fixed: Mapping[str, Value]) -> None:
        self._fixed = fixed

    def __getattr__(self, name: str) -> Any:
        return self._fixed[name] if name in self._fixed else Symbol(name)


@dataclass(frozen=True)
class Template:
    """A layer with some fixed parameters."""

    layer: type[HasFormula]
    fixed: tuple[tuple[str, Value], ...]
    inputs: int
    """The number of its input blobs."""
    weights: tuple[str, ...]
    """Its weights. Their elements are the arguments after the elements of the blobs."""
    term: Term

    @property
    def size(self) -> int:
        """The number of operations in its formula."""
        return self.term.size()

    @property
    def element(self) -> Attribute:
        """The element type of its blobs: layers that accept integers read int32 sums."""
        return i32 if self.layer.ANY_ELEMENTS else f32

    def matches(self, value: SSAValue, scalars: Scalars) -> Iterator["TemplateMatch"]:
        """Yield all matches of the layer with a value. The layer's code, with the parameters found,
        must simplify to that value."""
        for bound in unify(self.term, value, Bindings({}, {})):
            size = self.size - bound.dropped
            params = {**dict(self.fixed), **bound.symbols}
            # The formula may branch on parameters that were free. Build it with their values.
            try:
                exact = self.with_params(params)
            except NoFormula:
                continue
            inputs = (cast(SSAValue, bound.args[i]) for i in range(self.inputs))
            if not size or any(v.type != self.element for v in inputs):
                continue
            if scalars.find(exact, bound.args) is value:
                yield TemplateMatch(self, params, [bound.args[i] for i in sorted(bound.args)], size)

    def with_params(self, fixed: Mapping[str, Value]) -> Term:
        """Return the formula with these parameters. Raises `NoFormula`."""
        return _formula(self.layer, fixed, self.inputs, len(self.weights))


@dataclass(frozen=True)
class TemplateMatch:
    """A layer that computes a value."""

    template: Template
    params: Mapping[str, Value]
    args: Sequence[SSAValue | Const]
    """The scalars that are elements of the layer's blobs, then elements of its weights; the latter
    may be numbers."""
    size: int
    """The number of operations that it covers, without operations that simplification removed."""

    @property
    def inputs(self) -> Sequence[SSAValue]:
        """The scalars of the blobs."""
        return cast(Sequence[SSAValue], self.args[: self.template.inputs])

    @property
    def weights(self) -> Mapping[str, SSAValue | Const]:
        """The scalars of the weights."""
        return dict(zip(self.template.weights, self.args[self.template.inputs :], strict=True))

    def activation(self) -> Activation | None:
        """Return the layer as a fused activation, if it can be one."""
        cls = self.template.layer
        if not issubclass(cls, FusableActivation):
            return None
        op = cls.create(result_types=[TensorType(f32, [1])])
        op.init_params(self.params)
        return op.fused_activation()


def _formula(
    layer: type[HasFormula], fixed: Mapping[str, Value], inputs: int, weights: int
) -> Term:
    args = [Arg(i) if i < inputs else Weight(i) for i in range(inputs + weights)]
    return layer.formula(cast(Any, Params(fixed)), *args)


def _template(
    layer: type[HasFormula], inputs: int = 1, weights: Sequence[str] = (), **fixed: Value
) -> Template:
    term = _formula(layer, fixed, inputs, len(weights))
    return Template(layer, tuple(fixed.items()), inputs, tuple(weights), term)


def matches(value: SSAValue, scalars: Scalars) -> Sequence[TemplateMatch]:
    """Return the layers that compute a value. Layers that cover more operations come first; among
    equals, the layer with the smallest formula."""
    if not isinstance(op := value.owner, Operation):
        return []
    found = [m for t in _by_root().get(op.name, ()) for m in t.matches(value, scalars)]
    return sorted(found, key=lambda match: (-match.size, match.template.size))


@cache
def templates() -> Sequence[Template]:
    """Return all templates."""
    return list(_templates())


@cache
def _by_root() -> Mapping[str, Sequence[Template]]:
    """Return the templates by the operation that may be the root of their simplified code."""
    found: dict[str, list[Template]] = {}
    for template in templates():
        for root in _roots(template.term):
            found.setdefault(root, []).append(template)
    return found


def _roots(node: Term) -> set[str]:
    """Return the operations that may be the root of a term after simplification."""
    if not isinstance(node, Call):
        return set()
    return {node.op}.union(*(_roots(rest) for _, rest in neutral_operands(node)))


_FIXED: Mapping[type[LayerOp], Sequence[Mapping[str, Value]]] = {
    AbsValOp: (),  # UnaryOp matches
    GELUOp: ({"fast_gelu": 0}, {"fast_gelu": 1}),
    ReLUOp: ({"slope": 0.0}, {}),
    ExpOp: ({"base": -1.0}, {}),
    LogOp: ({"base": -1.0},),
    UnaryOpOp: [{"op_type": kind} for kind in range(len(UNARY_OPS))],
}
"""Parameters that a formula branches on, or that are not floats."""


def _templates() -> Iterator[Template]:
    for layer in LAYERS:
        if issubclass(layer, ElementWise) and issubclass(layer, UnaryLayer):
            if not issubclass(layer, Forwarding):
                yield from (_template(layer, 1, (), **fixed) for fixed in _FIXED.get(layer, ({},)))
    yield _template(PReLUOp, weights=["slope"])
    yield _template(ScaleOp, weights=["scale", "bias"])
    yield _template(ScaleOp, weights=["scale"])
    yield _template(QuantizeOp, weights=["scale"])
    yield _template(DequantizeOp, weights=["scale", "bias"])
    yield _template(DequantizeOp, weights=["scale"])
    for kind in range(len(BINARY_OPS)):
        with_scalar = _template(BinaryOpOp, op_type=kind, with_scalar=1)
        if not missing_operations(with_scalar.term):
            yield with_scalar
            yield _template(BinaryOpOp, 2, op_type=kind)
