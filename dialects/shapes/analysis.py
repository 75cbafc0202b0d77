"""What is known of the shapes in a model: one analysis, whose answers are terms over the extents of
the model's inputs.

A file may say the extents of its inputs, and types follow from them, but the runtime takes blobs of
any size: a detector that was exported for 320x320 runs on 640x640 as well. So there are three kinds
of knowledge:

- **certain**: what follows from weights and parameters. The extents of inputs are symbols here. How
  many dims an input has is what its type says, or what an operation needs that reads it.
- **promised**: of an argument with the attribute `ncnn.promised` the extents of its type are those
  of all inputs that the model is for; what follows from them counts as certain. Along the axes that
  `ncnn.at_most` names they are the greatest: such extents are bounded symbols.
- **declared**: what types say, which follows from what a file says of its inputs. A rewrite may go
  by it only where nothing becomes wrong if it is not so; see `declared_shape`.

Answers stay true as long as nothing is changed without telling (`changed`), so an analysis lives
for one run of a pass: see `transforms/analysis/shapes.py`.
"""

from abc import ABC
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue, Use

from .terms import UNKNOWN, Extent, Extents, symbol

PROMISED = "ncnn.promised"
"""The attribute of an argument whose declared extents are those of all inputs."""

AT_MOST = "ncnn.at_most"
"""The attribute of such an argument that names axes, from the outermost, along which inputs may
have less: `array<i64: 1, 2>`."""

Shape: TypeAlias = tuple[int, ...]
"""Numbers, outermost first; `DYNAMIC_INDEX` for an extent that is not known."""


class InfersShapes(Operation, ABC):
    """An operation whose results have shapes that follow from those of its operands."""

    def keeps_shape(self) -> bool:
        """Whether all results have the shape of the first operand, known or not."""
        return False

    def operand_rank(self, index: int) -> int | None:
        """How many dims an operand must have, whatever the others are: with any other number there
        is no result. `None`: more than one number will do."""
        return None

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        """The shapes of the results from those of the operands (`None`: not even the number of dims
        is known) and the parameters alone, as precise as they can be known; `None` where nothing
        can be said."""
        return [shapes[0]] * len(self.results) if self.keeps_shape() else None


@dataclass(frozen=True)
class Unranked:
    """The shape of a value whose number of dims is not known: equal only to itself."""

    value: SSAValue


class Shapes:
    """The analysis: sparse, forward and on demand. Each operation is asked once, when something
    asks for what follows from it; what changes goes along the uses by a worklist."""

    def __init__(self, declared: bool = False) -> None:
        """`declared`: what types say counts as certain, as it is to the `fused` dialect."""
        self.declared = declared
        self._found: dict[SSAValue, Extents | Unranked] = {}
        self._changed: list[Operation] = []

    def of(self, value: SSAValue) -> Extents | None:
        """The extents of a value, outermost first; `None` if not even the number of dims is
        certain. (A Squeeze drops axes by their extents.)"""
        found = self._look(value)
        return found if isinstance(found, tuple) else None

    def certain(self, value: SSAValue) -> Shape | None:
        """The same in numbers, `DYNAMIC_INDEX` for an extent that is not certain."""
        shape = self.of(value)
        return None if shape is None else numbers(shape)

    def rank(self, value: SSAValue) -> int | None:
        """The certain number of dims, `None` if it is not certain."""
        shape = self.of(value)
        return None if shape is None else len(shape)

    def same(self, *values: SSAValue) -> bool:
        """Whether values certainly have one shape, whatever it is."""
        first, *others = map(self._look, values)
        return all(first == other for other in others)

    # -- what was changed

    def changed(self, op: Operation) -> None:
        """To be told of an operation that is another one now, or has other operands or results."""
        self._changed.append(op)

    def removed(self, op: Operation) -> None:
        """To be told of an operation that goes."""
        for result in op.results:
            self._found.pop(result, None)

    def _renew(self) -> None:
        """Asks operations anew that were changed, and what follows from those that now say
        something else."""
        pending, self._changed = self._changed, []
        while pending:
            op = pending.pop()
            if op.parent is None:
                continue
            old = [self._found.pop(result, None) for result in op.results]
            users = {use.operation for result in op.results for use in result.uses}
            asked = [user for user in users if any(r in self._found for r in user.results)]
            if not asked:
                continue  # what was forgotten is found again if anything needs it
            for result, before in zip(op.results, old, strict=True):
                if before is None or self._find(result) != before:
                    pending += asked
                    break

    # -- how it is found

    def _look(self, value: SSAValue) -> Extents | Unranked:
        if self._changed:
            self._renew()
        return self._find(value)

    def _find(self, value: SSAValue) -> Extents | Unranked:
        found = self._found.get(value)
        if found is not None:
            return found
        pending = [value]
        while pending:  # operands first; not by recursion: models are deeper than Python's stack
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
        """Finds the shapes of an operation's results, once those of its operands are found."""
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
        """The shape of a value that no operation infers."""
        declared = declared_shape(value)
        if declared is None and isinstance(value, BlockArgument):
            # Converters leave out what a model's inputs are like; what reads one may need it to be
            # so.
            ranks = (_operand_rank(use) for use in value.uses)
            rank = next((rank for rank in ranks if rank is not None), None)
            return Unranked(value) if rank is None else _named(value, (UNKNOWN,) * rank)
        if declared is None or not (self.declared or isinstance(value, BlockArgument)):
            return Unranked(value)
        if self.declared:
            return _named(value, shape_in(declared))
        return _promised(value, declared)

    def _fitted(self, value: SSAValue, shape: Extents | None) -> Extents | Unranked:
        """The shape that was inferred for a value, with what its type says if that counts. A type
        that contradicts it leaves nothing known."""
        declared = declared_shape(value)
        if self.declared and declared is not None:
            given = shape_in(declared)
            fits = shape is not None and len(shape) == len(given)
            pairs = zip(given, shape if shape is not None and fits else given, strict=True)
            shape = tuple(m if isinstance(m, int) else n for m, n in pairs)
        if shape is None or (declared is not None and len(declared) != len(shape)):
            return Unranked(value)
        return _named(value, shape) if UNKNOWN in shape else shape


def _operand_rank(use: Use) -> int | None:
    op = use.operation
    return op.operand_rank(use.index) if isinstance(op, InfersShapes) else None


def _named(value: SSAValue, shape: Extents) -> Extents:
    """A shape with a symbol for each unknown extent of a value."""
    return tuple(symbol(value, i) if n is UNKNOWN else n for i, n in enumerate(shape))


def _promised(value: SSAValue, declared: Shape) -> Extents:
    """What is certain of the extents of an argument that its type declares."""
    fixed, bounded = fixed_axes(value), bounded_axes(value)

    def extent(axis: int, declared: int) -> Extent:
        if declared == DYNAMIC_INDEX or axis not in (*fixed, *bounded):
            return symbol(value, axis)
        if axis in fixed:
            return declared
        return symbol(value, axis, declared, most=declared)

    return tuple(extent(axis, n) for axis, n in enumerate(declared))


def fixed_axes(value: SSAValue) -> Sequence[int]:
    """The axes of an argument along which all inputs have the extents that its type says."""
    axes, bounded = _promised_axes(value), bounded_axes(value)
    return [axis for axis in axes if axis not in bounded]


def bounded_axes(value: SSAValue) -> Sequence[int]:
    """The axes of an argument along which inputs have at most the extents that its type says."""
    match _attributes(value).get(AT_MOST):
        case None:
            return ()
        case axes:
            # Whatever it is else, the less is said the better.
            named = cast(Any, axes).get_values() if isinstance(axes, DenseArrayBase) else None
            return [axis for axis in _promised_axes(value) if named is None or axis in named]


def _promised_axes(value: SSAValue) -> Sequence[int]:
    declared = declared_shape(value)
    promised = declared is not None and PROMISED in _attributes(value)
    return range(len(declared)) if declared is not None and promised else ()


def _attributes(value: SSAValue) -> Mapping[str, Attribute]:
    """The attributes of an argument of a function."""
    func = value.block.parent_op() if isinstance(value, BlockArgument) else None
    if not isinstance(value, BlockArgument) or not isinstance(func, FuncOp):
        return {}
    return {} if func.arg_attrs is None else func.arg_attrs.data[value.index].data


def declared_shape(value: SSAValue | Attribute) -> Shape | None:
    """What the type says: extents that a file or a user has declared, or that follow from such.
    `DYNAMIC_INDEX` for one that it does not say, `None` if it does not even say how many there are.
    """
    type_ = value.type if isinstance(value, SSAValue) else value
    return cast(TensorType[Attribute], type_).get_shape() if isinstance(type_, TensorType) else None


def shape_in(extents: Shape) -> Extents:
    """A shape with `UNKNOWN` for extents that are not known."""
    if DYNAMIC_INDEX not in extents:
        return extents
    return tuple(UNKNOWN if n == DYNAMIC_INDEX else n for n in extents)


def numbers(shape: Sequence[Extent]) -> Shape:
    """A shape with `DYNAMIC_INDEX` for extents that are no numbers."""
    return tuple(n if isinstance(n, int) else DYNAMIC_INDEX for n in shape)


def number(extent: Extent) -> int:
    """An extent, `DYNAMIC_INDEX` if it is no number."""
    return extent if isinstance(extent, int) else DYNAMIC_INDEX
