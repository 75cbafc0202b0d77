"""A model of one size, layer by layer: its extents there as numbers, and as terms over those of the
inputs that are to be any."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar, cast

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from ...dialects.ncnn.blob import extents_in, static_shape_of
from ...dialects.ncnn.extents import AXES
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.slots import Shape
from ...dialects.shapes.terms import UNKNOWN, Atom, Extent, Extents, Term, symbol

LayerT = TypeVar("LayerT", bound=LayerOp)

Numbers = tuple[int, ...]
"""An extent at the size of each export: one, or two."""


class Claim(NamedTuple):
    """An integer parameter of a layer that was taken as a constant."""

    op: LayerOp
    param: str
    place: int | None
    """The place in the parameter, if it is a list."""


class ValueClaim(NamedTuple):
    """A value that was taken as a constant, for each of the parts that have it: the number there,
    and the extents of the part at the exports."""

    op: LayerOp
    parts: Sequence[tuple[float, Sequence[Numbers]]]


class SizedModel:
    """Terms and numbers of a model's values. Layers are visited in order; one that is asked for
    earlier is visited earlier."""

    def __init__(self, func: FuncOp, other: FuncOp | None = None) -> None:
        self.func = func
        self.terms: dict[SSAValue, Extents] = {}
        self.problems: list[str] = []
        """What cannot follow the inputs, each with its layer and reason."""
        self.others: dict[SSAValue, SSAValue] = {}
        """The same value in an export at another size."""
        self.other_ops: dict[Operation, LayerOp] = {}
        self.parts: dict[Term, list[tuple[Extents, ...]]] = defaultdict(list)
        """How extents have come about: joined of parts, each part of axes that became one."""
        self.made: dict[tuple[SSAValue, Extents], SSAValue] = {}
        """What is computed in the place of constants, for these extents."""
        self.claims: list[Claim] = []
        """Constants that were taken as independent of the inputs' sizes, and not proven to be."""
        self.values: list[ValueClaim] = []
        """The same of values."""
        self.built: set[Operation] = set()
        """Constants of layers that compute what was a constant; claimed in `values`."""
        self._places: dict[tuple[str, Numbers], dict[Extent, SSAValue]] = defaultdict(dict)
        self._atoms: dict[Atom, Numbers] = {}
        self._numbers: dict[Extent, Numbers] = {}

    def numbers(self, value: SSAValue) -> list[Shape] | None:
        """The shape of a value at the size of each export; `None` if it is not known."""
        both = [value, self.others[value]] if value in self.others else [value]
        shapes = [static_shape_of(v) for v in both]
        known = [shape for shape in shapes if shape is not None]
        return known if len(known) == len(both) else None

    def exports(self, op: LayerT) -> list[LayerT]:
        """A layer, and the same one of the other export, if there is one."""
        twin = self.other_ops.get(op)
        return [op] if twin is None else [op, cast(LayerT, twin)]

    def of(self, value: SSAValue) -> Extents | None:
        """The extents of a value as terms, if its layer was visited."""
        return self.terms.get(value)

    def settle(self, value: SSAValue, extents: Extents | None) -> None:
        """Says the extents of a value. What is unknown gets a symbol of its own."""
        if extents is None:
            shape = extents_in(value.type)
            extents = (UNKNOWN,) * len(shape) if shape is not None else None
        if extents is None:
            return
        named = tuple(symbol(value, i) if n is UNKNOWN else n for i, n in enumerate(extents))
        self.terms[value] = named
        shapes = self.numbers(value)
        if shapes is None or len(shapes[0]) != len(named):
            return
        if self.others and value not in self.others:  # no number at the other export
            return
        for letter, term, *numbers in zip(AXES[len(named)], named, *shapes, strict=True):
            if isinstance(term, Term):
                self._record_atom(term, tuple(numbers))
                self._places[letter, tuple(numbers)].setdefault(term, value)
                self._numbers.setdefault(term, tuple(numbers))

    def replace(self, old: SSAValue, new: SSAValue, extents: Extents) -> None:
        """Put a value of these extents in the place of another one."""
        if old in self.others:
            self.others[new] = self.others[old]
        new = Rewriter.replace_value_with_new_type(new, old.type)
        old.replace_all_uses_with(new)
        self.settle(new, extents)

    def equal_to(self, letter: str, numbers: Numbers) -> Mapping[Extent, SSAValue]:
        """The terms that are such an extent along this axis of some value, each with the first."""
        return self._places[letter, numbers]

    def _record_atom(self, term: Term, numbers: Numbers) -> None:
        """Record the numbers of the unknown of a term that is a multiple of it."""
        ((monomial, factor), *more) = term.parts.items()
        if not more and len(monomial) == 1:
            self._atoms.setdefault(monomial[0], tuple(n // factor for n in numbers))

    def numbers_of(self, term: Extent) -> Numbers | None:
        """An extent at the size of each export; `None` if it is not known."""
        if not isinstance(term, Term):
            return (term,) * (2 if self.others else 1)
        if (found := self._numbers.get(term)) is not None:
            return found
        values: list[int] = []
        for i in range(2 if self.others else 1):
            value = evaluate(term, {atom: numbers[i] for atom, numbers in self._atoms.items()})
            if value is None:
                return None
            values.append(value)
        return tuple(values)

    def dynamic_extents(self) -> Mapping[Extent, Numbers]:
        """The extents of values that follow the inputs' sizes, with their numbers."""
        return self._numbers

    def follows(self, op: LayerOp) -> Sequence[Extents | None] | None:
        """The terms of a layer's results."""
        return op.infer_shapes([self.terms.get(v) for v in op.operands])

    def is_free(self, value: SSAValue) -> bool:
        """Whether an extent of a value depends on the inputs' sizes."""
        return any(isinstance(n, Term) for n in self.terms.get(value, ()))

    def holders(self, term: Extent) -> Iterator[tuple[SSAValue, str]]:
        """The values that have an extent, and along which axis; inputs last."""
        for value, extents in self.terms.items():
            for letter, n in zip(AXES[len(extents)], extents, strict=True):
                if n == term:
                    yield value, letter

    def refuse(self, op: LayerOp, reason: str) -> None:
        """Notes that a layer cannot follow the size."""
        self.problems.append(f"{op.label()}: {reason}")


def evaluate(extent: Extent, atoms: Mapping[Atom, int]) -> int | None:
    """The number that an extent is where its unknowns have these; `None` if one is not known."""
    if not isinstance(extent, Term):
        return extent
    if extent is UNKNOWN:
        return None
    total = 0
    for monomial, factor in extent.parts.items():
        for atom in monomial:
            value = atoms.get(atom)
            if value is None and atom.name == "//":
                dividend, divisor = cast(tuple[Term, int], atom.args)
                inner = evaluate(dividend, atoms)
                value = None if inner is None else inner // divisor
            if value is None:
                return None
            factor *= value
        total += factor
    return total


def divides(part: Extent, whole: Extent) -> bool:
    """Whether an extent is certainly a multiple of another one."""
    return bool(part) and (whole // part) * part == whole


def as_numbers(shapes: Iterable[Shape], axis: int) -> Numbers:
    """The extents of shapes along an axis."""
    return tuple(shape[axis] for shape in shapes)
