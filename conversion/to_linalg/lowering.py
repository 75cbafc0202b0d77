"""The passes that lower layers and fused operations to `linalg`, by running their reference
semantics on traced arrays.

The operations of a function become one graph, which is written once. So the writer sees from which
nodes an operand is computed, and in which layouts it exists already.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import InterpretationError

from ...dialects.fused import FusedOp
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.function import update_type
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.structure import InputOp
from ...dialects.shapes.analysis import Shapes, declared_shape
from ...dialects.shapes.tensors import element_of
from ...dialects.shapes.terms import Extents
from ...interpreters.fused import evaluate_elements
from ...interpreters.ncnn.layer_evaluation import apply, semantics_of
from ...interpreters.ncnn.semantics import NoSemantics
from ...transforms.rewriting.remarks import remark
from ..host_ops import host_reason
from ..tracing import nodes
from ..tracing.arrays import Traced, cast_to, node_of
from ..tracing.nodes import Node, NotTraced, extents_text, in_order
from . import scalars
from .builder import Builder, remove_unused
from .extents import ExtentValues
from .forms import named_form
from .kernels import LinalgWriter, bounded
from .processors import DEFAULT, PROCESSORS, VectorUnit
from .writers import writers_of

EVERY_KIND = (LayerOp, FusedOp)
"""The operations that are lowered together if extents are unknown: only layers and fused operations
define how their extents depend on the inputs' extents; linalg does not."""

KNOWN_VALUES = 1 << 16
"""If a layer's computation depends on values, the values of constants with at most this number of
elements are used."""

STYLES = ("named", "gemm")
"""How convolutions are written: as named operations, or in the channels-last forms that compile
well."""


@dataclass(frozen=True)
class _ToLinalg(ModulePass):
    KINDS: ClassVar[tuple[type[Operation], ...]]

    conv: str = "named"
    processor: str = DEFAULT

    def __post_init__(self) -> None:
        """Raise `ValueError` for an unknown style or processor."""
        known = {"conv": (self.conv, STYLES), "processor": (self.processor, PROCESSORS)}
        for name, (value, names) in known.items():
            if value not in names:
                *words, last = names
                raise ValueError(f"{name} is {', '.join(words)} or {last}, not '{value}'")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        lower(op, self.KINDS, self.name, self.conv, self.processor)


@dataclass(frozen=True)
class ConvertToLinalg(_ToLinalg):
    """Convert operations of the `fused` dialect and layers to linalg on tensors in one pass: each
    operation reads channels-last copies if the operation before it writes some (`conv=gemm`).
    `convert-fused-to-linalg` and `convert-ncnn-to-linalg` convert one of both kinds each, with the
    same options; one after the other they write more transpositions."""

    name = "convert-to-linalg"

    KINDS = EVERY_KIND


@dataclass(frozen=True)
class ConvertFusedToLinalg(_ToLinalg):
    """Convert operations of the `fused` dialect to linalg on tensors: anchors as named operations
    (`conv=named`) or as contractions, which compile to faster code (`conv=gemm`), epilogues as
    `linalg.generic` (docs/native.md). An attribute `ncnn.form` on an operation says which of the
    forms of `gemm` its convolution has; otherwise it has the fastest one for the vector
    instructions of `processor`.

    If extents of inputs are unknown, the pass lowers layers too: only layers and fused operations
    define how their extents depend on the inputs' extents.
    """

    name = "convert-fused-to-linalg"

    KINDS = (FusedOp,)


@dataclass(frozen=True)
class ConvertNcnnToLinalg(_ToLinalg):
    """Convert layers to linalg on tensors by tracing their reference semantics; a layer that cannot
    be converted stays, and a remark gives the reason (docs/native.md)."""

    name = "convert-ncnn-to-linalg"

    KINDS = (LayerOp,)


def lower(
    module: ModuleOp,
    kinds: tuple[type[Operation], ...],
    pass_name: str,
    style: str = "named",
    processor: str = DEFAULT,
) -> None:
    """Replace operations of these kinds by equivalent tensor operations. An operation without such
    a form stays; a remark names the reason. The style is one of `STYLES`, the processor one of
    `PROCESSORS`."""
    for func in [op for op in module.ops if isinstance(op, FuncOp) and not op.is_declaration]:
        block = func.body.block
        for op in [op for op in block.ops if isinstance(op, InputOp)]:
            Rewriter.replace_op(op, (), op.inputs)  # the arguments have the names
        is_dynamic = any(DYNAMIC_INDEX in (declared_shape(arg) or ()) for arg in block.args)
        own = EVERY_KIND if is_dynamic else kinds
        computing = [
            op for op in block.ops if isinstance(op, own) and not isinstance(op, ConstantOp)
        ]
        reasons = _lower_operations(func, computing, style, PROCESSORS[processor])
        for op in computing:
            if op in reasons:
                remark(pass_name, cast(Any, op).label(), note=reasons[op])
        update_type(func)


def refusal(op: Operation) -> str | None:
    """Return the reason why an operation cannot be lowered; `None` if it can."""
    if not isinstance(op, EVERY_KIND):
        return f"there is no conversion of '{op.name}' to linalg"
    func = op.parent_op()
    assert isinstance(func, FuncOp)
    copy = func.clone()
    ops = zip(func.body.block.ops, copy.body.block.ops, strict=True)
    (own,) = (b for a, b in ops if a is op)
    return _lower_operations(copy, [own], "named", PROCESSORS[DEFAULT]).get(own)


def _lower_operations(
    func: FuncOp, operations: Sequence[Operation], style: str, processor: VectorUnit
) -> dict[Operation, str]:
    """Replace these operations of a function by tensor operations. Return those that stay, with
    the reasons."""
    reasons = {op: reason for op in operations if (reason := host_reason(op)) is not None}
    shapes = _shapes_in(func)
    block = func.body.block
    is_written = False
    while not is_written:
        graph = FunctionGraph(func, shapes, operations, reasons)
        extents = ExtentValues(block)
        for arg in block.args:
            extents.know(arg, shapes[arg] or ())
        try:
            graph.write(style, processor, extents)
            is_written = True
        except NotWritten as e:  # it stays, and its readers read its results
            reasons[e.operation] = e.reason
        if style != "named":
            remove_unused(block)
        extents.drop_unread()
    return reasons


def _shapes_in(func: FuncOp) -> dict[SSAValue, Extents | None]:
    """Return the extents of all values of a function."""
    shapes = Shapes(declared=True)
    block = func.body.block
    values = [*block.args, *(v for op in block.ops for v in op.results)]
    return {value: shapes.of(value) for value in values}


REASONS = (NotTraced, NoSemantics, InterpretationError, ValueError)


class ValueNodes(dict[SSAValue, Node]):
    """The nodes of values. A value that no traced operation computes is an input of the graph."""

    def __init__(self, shapes: Mapping[SSAValue, Extents | None]) -> None:
        super().__init__()
        self._shapes = shapes

    def __missing__(self, value: SSAValue) -> Node:
        shape = self._shapes[value]
        if shape is None:
            raise NotTraced("the shape of an input is not known")
        node = nodes.Input(shape, scalars.dtype_of(element_of(value)), value)
        self[value] = node
        return node


class NotWritten(Exception):
    """Tensor operations cannot express an operation of a graph."""

    def __init__(self, operation: Operation, reason: str) -> None:
        super().__init__(reason)
        self.operation = operation
        self.reason = reason


class FunctionGraph:
    """Operations of a function as one graph. The others stay, and their results are inputs of the
    graph. So do those that cannot be traced; `reasons` receives the reasons."""

    def __init__(
        self,
        func: FuncOp,
        shapes: Mapping[SSAValue, Extents | None],
        operations: Sequence[Operation],
        reasons: dict[Operation, str],
    ) -> None:
        self.operations = list(func.body.block.ops)
        self.nodes = ValueNodes(shapes)
        self.forms: dict[nodes.Convolve, str] = {}
        self.results: dict[Operation, list[Node]] = {}
        self._traced: set[Node] = set()
        for op in operations:
            if op in reasons:
                continue
            try:
                self._trace(op, shapes)
            except REASONS as e:
                reasons[op] = str(e) or type(e).__name__

    def _trace(self, op: Operation, shapes: Mapping[SSAValue, Extents | None]) -> None:
        """Add the nodes of an operation. Raises one of `REASONS`."""
        found = [bounded(node) for node in _traced(op, self.nodes)]
        for old, node in zip(op.results, found, strict=True):
            own = shapes[old]
            if own is not None and len(own) != len(node.shape):
                raise NotTraced(f"a result of {extents_text(node.shape)} for {old.type}")
        new = list(in_order(found, self._traced))
        if (form := named_form(op)) is not None:
            convolutions = [node for node in new if isinstance(node, nodes.Convolve)]
            if not convolutions:
                raise ValueError(f"form '{form}' is for a convolution")
            self.forms |= dict.fromkeys(convolutions, form)
        self._traced.update(new)
        self.results[op] = found
        self.nodes.update(zip(op.results, found, strict=True))

    def write(self, style: str, processor: VectorUnit, extents: ExtentValues) -> None:
        """Write the graph, each result in the place of its operation. Raises `NotWritten`; the
        function is unchanged then."""
        new: list[Operation] = []

        def place(op: Operation) -> SSAValue:
            new.append(op)
            return op.results[0]

        builder = Builder(place, extents)
        kernels = LinalgWriter(builder, writers_of(style), style, self.forms, processor)
        read = [v for op in self.operations if op not in self.results for v in op.operands]
        kernels.plan([self.nodes[v] for v in dict.fromkeys(read) if v.owner in self.results])
        ends: list[int] = []
        for op in self.operations:
            try:
                for old, node in zip(op.results, self.results.get(op, ()), strict=False):
                    if node in kernels.tensors:
                        value = kernels.value(node)
                        value.name_hint = value.name_hint or old.name_hint
            except REASONS as e:
                for unused in reversed(new):
                    unused.erase()
                raise NotWritten(op, str(e) or type(e).__name__) from e
            ends.append(len(new))
        for op, start, end in zip(self.operations, [0, *ends], ends, strict=False):
            Rewriter.insert_op(new[start:end], InsertPoint.before(op))
            if op not in self.results:
                for i, value in enumerate(op.operands):
                    if value.owner in self.results:
                        op.operands[i] = kernels.value(self.nodes[value])
        for op in reversed(self.results):
            Rewriter.erase_op(op)


def convolutions_in(func: FuncOp) -> dict[Operation, nodes.Convolve]:
    """Return the operations that compute one convolution each, with that convolution."""
    shapes = _shapes_in(func)
    found: dict[Operation, nodes.Convolve] = {}
    for op in func.body.block.ops:
        if not isinstance(op, EVERY_KIND) or isinstance(op, ConstantOp | InputOp):
            continue
        try:
            computed = in_order(_traced(op, ValueNodes(shapes)))
        except REASONS:
            continue
        own = [node for node in computed if isinstance(node, nodes.Convolve)]
        if len(own) == 1:
            found[op] = own[0]
    return found


def _traced(op: Operation, values: ValueNodes) -> list[Node]:
    """Return the nodes of an operation's results. Raises one of `REASONS`."""
    given = [Traced(values[value]) for value in op.operands]
    with np.errstate(all="ignore"):
        try:
            return _results(op, given)
        except NotTraced:
            raise
        except (TypeError, ValueError, NoSemantics) as e:
            dynamic = [v for v in given if not all(isinstance(n, int) for n in v.shape)]
            if not dynamic or (isinstance(op, LayerOp) and semantics_of(type(op)) is None):
                raise
            # The reference computes with extents as with plain numbers.
            raise NotTraced(
                f"its code depends on the extents of its input {extents_text(dynamic[0].shape)}, "
                "which are not all known; set them with --input-shape"
            ) from e


def _results(op: Operation, given: Sequence[Traced]) -> list[Node]:
    """Return the nodes of an operation's results. Try without values first, then with the values of
    small constants."""
    try:
        return _computed(op, given)
    except NotTraced:
        known = [_known(v, t) for v, t in zip(op.operands, given, strict=True)]
        if all(isinstance(v, Traced) for v in known):
            raise
        return _computed(op, known)


def _computed(op: Operation, operands: Sequence[Any]) -> list[Node]:
    if isinstance(op, FusedOp):
        return _fused(op, operands)
    assert isinstance(op, LayerOp), op
    function = semantics_of(type(op))
    if function is None:
        raise NoSemantics("no reference semantics")
    return [_narrowed(node_of(value)) for value in apply(function, op, operands)]


def _known(value: SSAValue, traced: Traced) -> Any:
    op = value.owner
    if isinstance(op, ConstantOp) and op.has_values() and traced.size <= KNOWN_VALUES:
        return np.asarray(op.read())
    return traced


def _narrowed(node: Node) -> Node:
    return cast_to(node, np.dtype("f4")) if node.dtype == np.float64 else node


def _fused(op: FusedOp, operands: Sequence[Any]) -> list[Node]:
    result, elements = evaluate_elements(op, operands)
    shape = nodes.broadcast_shapes(*(each.shape for each in elements))
    node = nodes.broadcast(node_of(result), shape)
    if isinstance(node, nodes.Scalar):
        node = nodes.View(shape, node.dtype, node, (None,) * len(shape))
    return [node]
