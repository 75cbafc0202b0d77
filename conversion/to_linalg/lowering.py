"""Lowers layers and fused operations to `linalg` by running their reference semantics on traced
arrays."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import DYNAMIC_INDEX, FloatAttr, IntegerAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects.fused import FusedOp, YieldOp
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.function import update_type
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.structure import InputOp
from ...dialects.shapes.analysis import Shapes, declared_shape
from ...dialects.shapes.tensors import element_of
from ...dialects.shapes.terms import Extents
from ...interpreters.fused import accumulate, spread
from ...interpreters.fused.scalars import CONVERSIONS, to_type
from ...interpreters.ncnn.layer_evaluation import apply, semantics_of
from ...interpreters.ncnn.semantics import NoSemantics
from ...transforms.rewriting.remarks import remark
from ..tracing import nodes
from ..tracing.arrays import Traced, cast_to, node_of
from ..tracing.nodes import Node, NotTraced, extents_text, in_order
from ..tracing.ufuncs import scalar_op
from . import scalars
from .builder import Builder
from .extents import ExtentValues
from .forms import named_form
from .host_layers import host_reason
from .kernels import LinalgWriter
from .layouts import remove_unused
from .processors import DEFAULT, PROCESSORS, VectorUnit
from .writers import writers_of

KNOWN_VALUES = 1 << 16
"""If a layer's computation depends on values, the values of constants with at most this number of
elements are used."""


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
        is_dynamic = any(DYNAMIC_INDEX in (declared_shape(arg) or ()) for arg in block.args)
        own = EVERY_KIND if is_dynamic else kinds
        found = _shapes_in(func)
        extents = ExtentValues(block)
        for arg in block.args:
            extents.know(arg, found[arg] or ())
        for op in list(block.ops):
            if not isinstance(op, own) or isinstance(op, ConstantOp):
                continue
            if isinstance(op, InputOp):  # the arguments have the names
                Rewriter.replace_op(op, (), op.inputs)
                continue
            label = cast(Any, op).label()
            if (reason := host_reason(op)) is not None:
                remark(pass_name, label, note=reason)
                continue
            try:
                _replace(op, found, extents, style, PROCESSORS[processor])
            except _REASONS as e:
                remark(pass_name, label, note=str(e) or type(e).__name__)
        if style != "named":
            remove_unused(block)
        extents.drop_unread()
        update_type(func)


def refusal(op: Operation) -> str | None:
    """Return the reason why an operation cannot be lowered; `None` if it can."""
    if not isinstance(op, EVERY_KIND):
        return f"there is no conversion of '{op.name}' to linalg"
    if (reason := host_reason(op)) is not None:
        return reason
    func = op.parent_op()
    assert isinstance(func, FuncOp)
    copy = func.clone()
    ops = zip(func.body.block.ops, copy.body.block.ops, strict=True)
    (own,) = (b for a, b in ops if a is op)
    found, extents = _shapes_in(copy), ExtentValues(copy.body.block)
    for arg in copy.body.block.args:
        extents.know(arg, found[arg] or ())
    try:
        _replace(own, found, extents, "named", PROCESSORS[DEFAULT])
    except _REASONS as e:
        return str(e) or type(e).__name__
    return None


EVERY_KIND = (LayerOp, FusedOp)
"""The operations that are lowered together if extents are unknown: only layers and fused operations
define how their extents depend on the inputs' extents; linalg does not."""


def _shapes_in(func: FuncOp) -> dict[SSAValue, Extents | None]:
    """Return the extents of all values of a function."""
    shapes = Shapes(declared=True)
    block = func.body.block
    values = [*block.args, *(v for op in block.ops for v in op.results)]
    return {value: shapes.of(value) for value in values}


_REASONS = (NotTraced, NoSemantics, ValueError)


def _replace(
    op: Operation,
    found: dict[SSAValue, Extents | None],
    extents: ExtentValues,
    style: str,
    processor: VectorUnit,
) -> None:
    results = _traced(op, found)
    new: list[Operation] = []

    def place(each: Operation) -> SSAValue:
        new.append(each)
        return each.results[0]

    form = named_form(op)
    if form is not None and not any(isinstance(e, nodes.Convolve) for e in in_order(results)):
        raise ValueError(f"form '{form}' is for a convolution")
    kernels = LinalgWriter(Builder(place, extents), writers_of(style), style, form, processor)
    values = kernels.write(results)
    for old, value, node in zip(op.results, values, results, strict=True):
        own = found[old]
        if own is not None and len(own) != len(node.shape):
            raise NotTraced(f"a result of {extents_text(node.shape)} for {old.type}")
    Rewriter.insert_op(new, InsertPoint.before(op))
    for old, value, node in zip(op.results, values, results, strict=True):
        value.name_hint = value.name_hint or old.name_hint
        found[value] = node.shape
        old.replace_all_uses_with(value)
    Rewriter.erase_op(op)


def convolutions_in(func: FuncOp) -> dict[Operation, nodes.Convolve]:
    """Return the operations that compute one convolution each, with that convolution."""
    shapes = _shapes_in(func)
    found: dict[Operation, nodes.Convolve] = {}
    for op in func.body.block.ops:
        if not isinstance(op, EVERY_KIND) or isinstance(op, ConstantOp | InputOp):
            continue
        try:
            computed = in_order(_traced(op, shapes))
        except _REASONS:
            continue
        own = [node for node in computed if isinstance(node, nodes.Convolve)]
        if len(own) == 1:
            found[op] = own[0]
    return found


def _traced(op: Operation, shapes: Mapping[SSAValue, Extents | None]) -> list[Node]:
    """Return the nodes of an operation's results. Raises one of `_REASONS`."""
    given: list[Traced] = []
    for value in op.operands:
        shape = shapes[value]
        if shape is None:
            raise NotTraced("the shape of an input is not known")
        dtype = scalars.dtype_of(element_of(value))
        given.append(Traced(nodes.Input(shape, dtype, value)))
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
    accumulator, residuals = accumulate(op, operands)
    shape = Shapes(declared=True).of(op.result)
    if shape is None:
        raise NotTraced("the shape of the result is not known")
    elements = [] if accumulator is None else [node_of(accumulator)]
    for i, residual in enumerate(residuals):
        elements.append(node_of(spread(residual, op.explicit_axes(i), len(shape))))
    values: dict[SSAValue, Node] = dict(zip(op.block.args, elements, strict=True))
    for scalar in op.block.ops:
        if isinstance(scalar, YieldOp):
            break
        values[scalar.results[0]] = _scalar(scalar, [values[v] for v in scalar.operands])
    own = nodes.broadcast_shapes(*(node.shape for node in elements))
    result = nodes.broadcast(values[op.yielded], own)
    if isinstance(result, nodes.Scalar):
        result = nodes.View(own, result.dtype, result, (None,) * len(own))
    return [result]


def _scalar(op: Operation, args: Sequence[Node]) -> Node:
    """Return the node of an operation of an epilogue."""
    if isinstance(op, CONVERSIONS):
        return node_of(to_type(cast(Any, Traced(args[0])), op.results[0].type))
    dtype = scalars.dtype_of(op.results[0].type)
    match op:
        case arith.ConstantOp(value=FloatAttr() | IntegerAttr() as value):
            return nodes.scalar(cast(Any, value).value.data, dtype)
        case arith.CmpfOp():
            return scalar_op(
                op.name, args, dtype, arith.CMPF_COMPARISON_OPERATIONS[op.predicate.value.data]
            )
        case _:
            return scalar_op(op.name, args, dtype)
