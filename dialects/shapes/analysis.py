"""Shape analysis: infers shapes as terms over the extents of a model's inputs.

A file may declare input extents, and types follow from them. But the runtime accepts blobs of any
size: a detector exported for 320x320 also runs on 640x640. So there are three kinds of facts:

- **certain**: facts that follow from weights and parameters. Extents of inputs are symbols. The
  rank of an input comes from its type or from an operation that reads it.
- **promised**: if an argument has the attribute `ncnn.promised`, the model is specialized to its
  type's extents, and facts that follow from them are certain. Along the axes in `ncnn.at_most`
  these extents are upper bounds; the analysis uses bounded symbols.
- **declared**: types, which follow from a file's declared input extents. A rewrite may use them
  only if it stays correct for other extents; see `declared_shape`.

Results are valid until the IR changes without notice (`changed`), so an analysis lives for one run
of a pass: see `analysis/shapes.py`.
"""

from abc import ABC
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from .terms import UNKNOWN, Extent, Extents, provably_equal, symbol

PROMISED = "ncnn.promised"
"""The attribute of an argument that specializes the model to its type's extents."""

AT_MOST = "ncnn.at_most"
"""The attribute that lists the axes, counted from the outermost, whose extents are upper bounds:
`array<i64: 1, 2>`."""

Shape: TypeAlias = tuple[int, ...]
"""Integers, outermost first; `DYNAMIC_INDEX` for a dynamic extent."""


class InfersShapes(Operation, ABC):
    """An operation whose result shapes follow from its operand shapes."""

    def keeps_shape(self) -> bool:
        """Whether all results have the shape of the first operand, known or not."""
        return False

    def operand_rank(self, index: int) -> int | None:
        """Return the only valid rank of an operand, independent of the others; `None` if several
        are valid."""
        return None

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        """Infer the result shapes, as precisely as possible, from the operand shapes (`None`:
        unranked) and parameters only. Return `None` if nothing is known."""
        return [shapes[0]] * len(self.results) if self.keeps_shape() else None


@dataclass(frozen=True)
class Unranked:
    """The shape of an unranked value: equal only to itself."""

    value: SSAValue


class Shapes:
    """The analysis: sparse, forward, on demand. It visits an operation once, when a fact about it
    is needed. A worklist propagates changes along uses."""

    def __init__(self, declared: bool = False) -> None:
        """`declared`: extents of types are certain, as in the `fused` dialect."""
        self.declared = declared
        self._found: dict[SSAValue, Extents | Unranked] = {}
        self._changed: list[Operation] = []

    def of(self, value: SSAValue) -> Extents | None:
        """Return the extents of a value, outermost first; `None` if its rank is not certain. (A
        Squeeze drops axes depending on their extents.)"""
        found = self._look(value)
        return found if isinstance(found, tuple) else None

    def certain(self, value: SSAValue) -> Shape | None:
        """Return the certain extents of a value as integers, `DYNAMIC_INDEX` for others."""
        shape = self.of(value)
        return None if shape is None else numbers(shape)

    def rank(self, value: SSAValue) -> int | None:
        """Return the certain rank of a value, `None` if it is not certain."""
        shape = self.of(value)
        return None if shape is None else len(shape)

    def same(self, *values: SSAValue) -> bool:
        """Whether values provably have the same shape, known or not."""
        first, *others = map(self._look, values)
        if isinstance(first, Unranked):
            return all(first == other for other in others)
        return all(isinstance(n, tuple) and provably_equal(first, n) for n in others)

    # -- changes of the IR

    def changed(self, op: Operation) -> None:
        """Notify the analysis that an operation was replaced in place or has other operands or
        results."""
        self._changed.append(op)

    def removed(self, op: Operation) -> None:
        """Notify the analysis that an operation will be erased."""
        for result in op.results:
            self._found.pop(result, None)

    def _renew(self) -> None:
        """Visit changed operations again and propagate changed results to their users."""
        pending, self._changed = self._changed, []
        while pending:
            op = pending.pop()
            if op.parent is None:
                continue
            old = [self._found.pop(result, None) for result in op.results]
            users = {use.operation for result in op.results for use in result.uses}
            asked = [user for user in users if any(r in self._found for r in user.results)]
            if not asked:
                continue  # forgotten facts are inferred again on demand
            for result, before in zip(op.results, old, strict=True):
                if before is None or self._find(result) != before:
                    pending += asked
                    break

    # -- inference

    def _look(self, value: SSAValue) -> Extents | Unranked:
        if self._changed:
            self._renew()
        return self._find(value)

    def _find(self, value: SSAValue) -> Extents | Unranked:
        found = self._found.get(value)
        if found is not None:
            return found
        pending = [value]
        while pending:  # operands first; iterative, because models are deeper than Python's stack
            op = pending[-1].owner
            if not isinstance(op, InfersShapes):
                last = pending.pop()
                self._found[last] = self._given(last)
                continue
            unknown = [v for v in op.operands if v not in self._found]
            if unknown:
                pending += unknown
                continue
            pending.pop()
            self._ask(op)
        return self._found[value]

    def _ask(self, op: InfersShapes) -> None:
        """Infer the shapes of an operation's results; the operands' shapes are known."""
        shapes = [self._found[v] for v in op.operands]
        if op.keeps_shape():
            for result in op.results:
                ranked = isinstance(shapes[0], tuple) or declared_shape(result) is None
                whole = ranked or not self.declared
                self._found[result] = shapes[0] if whole else self._fitted(result, None)
            return
        known = [shape if isinstance(shape, tuple) else None for shape in shapes]
        results = op.infer_shapes(known) or ()
        for i, result in enumerate(op.results):
            shape = results[i] if i < len(results) else None
            self._found[result] = self._fitted(result, shape)

    def _given(self, value: SSAValue) -> Extents | Unranked:
        """Return the shape of a value without an inferring operation."""
        declared = declared_shape(value)
        if declared is None and isinstance(value, BlockArgument):
            # Converters omit the shapes of a model's inputs; a reader of an input may require a
            # rank.
            readers = [(use.operation, use.index) for use in value.uses]
            ranks = (op.operand_rank(i) for op, i in readers if isinstance(op, InfersShapes))
            rank = next((rank for rank in ranks if rank is not None), None)
            return Unranked(value) if rank is None else named(value, (UNKNOWN,) * rank)
        if declared is None or not (self.declared or isinstance(value, BlockArgument)):
            return Unranked(value)
        if self.declared:
            return named(value, shape_in(declared))
        return _promised(value, declared)

    def _fitted(self, value: SSAValue, shape: Extents | None) -> Extents | Unranked:
        """Return the inferred shape of a value, refined by its type if types are certain. Nothing
        is known if the type contradicts it."""
        declared = declared_shape(value)
        if self.declared and declared is not None:
            given = shape_in(declared)
            fits = shape is not None and len(shape) == len(given)
            pairs = zip(given, shape if shape is not None and fits else given, strict=True)
            shape = tuple(m if isinstance(m, int) else n for m, n in pairs)
        if shape is None or (declared is not None and len(declared) != len(shape)):
            return Unranked(value)
        return named(value, shape) if UNKNOWN in shape else shape


def named(value: SSAValue, shape: Extents) -> Extents:
    """Return a shape with a symbol for each unknown extent of a value."""
    return tuple(symbol(value, i) if n is UNKNOWN else n for i, n in enumerate(shape))


def _promised(value: SSAValue, declared: Shape) -> Extents:
    """Return the certain extents of an argument with a declared shape."""
    fixed, bounded = fixed_axes(value), bounded_axes(value)

    def extent(axis: int, declared: int) -> Extent:
        if declared == DYNAMIC_INDEX or axis not in (*fixed, *bounded):
            return symbol(value, axis)
        if axis in fixed:
            return declared
        return symbol(value, axis, declared, most=declared)

    return tuple(extent(axis, n) for axis, n in enumerate(declared))


def fixed_axes(value: SSAValue) -> Sequence[int]:
    """The axes of an argument that are specialized to the extents of its type."""
    axes, bounded = _promised_axes(value), bounded_axes(value)
    return [axis for axis in axes if axis not in bounded]


def bounded_axes(value: SSAValue) -> Sequence[int]:
    """The axes of an argument whose extents have the type's extents as upper bounds."""
    match _attributes(value).get(AT_MOST):
        case None:
            return ()
        case axes:
            # An invalid attribute must not add facts.
            named = cast(Any, axes).get_values() if isinstance(axes, DenseArrayBase) else None
            return [axis for axis in _promised_axes(value) if named is None or axis in named]


def _promised_axes(value: SSAValue) -> Sequence[int]:
    declared = declared_shape(value)
    promised = declared is not None and PROMISED in _attributes(value)
    return range(len(declared)) if declared is not None and promised else ()


def _attributes(value: SSAValue) -> Mapping[str, Attribute]:
    """Return the attributes of a function argument."""
    func = value.block.parent_op() if isinstance(value, BlockArgument) else None
    if not isinstance(value, BlockArgument) or not isinstance(func, FuncOp):
        return {}
    return {} if func.arg_attrs is None else func.arg_attrs.data[value.index].data


def declared_shape(value: SSAValue | Attribute) -> Shape | None:
    """Return the extents of a type: declared by a file or user, or inferred from such extents.
    `DYNAMIC_INDEX` for a dynamic extent, `None` if unranked."""
    type_ = value.type if isinstance(value, SSAValue) else value
    return cast(TensorType[Attribute], type_).get_shape() if isinstance(type_, TensorType) else None


def shape_in(extents: Shape) -> Extents:
    """Return a shape with `UNKNOWN` for dynamic extents."""
    if DYNAMIC_INDEX not in extents:
        return extents
    return tuple(UNKNOWN if n == DYNAMIC_INDEX else n for n in extents)


def numbers(shape: Sequence[Extent]) -> Shape:
    """Return a shape with `DYNAMIC_INDEX` for non-constant extents."""
    return tuple(n if isinstance(n, int) else DYNAMIC_INDEX for n in shape)


def number(extent: Extent) -> int:
    """Return an extent as an integer, `DYNAMIC_INDEX` if it is not constant."""
    return extent if isinstance(extent, int) else DYNAMIC_INDEX
