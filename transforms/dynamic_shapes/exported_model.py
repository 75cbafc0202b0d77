"""A model exported at one or two sizes: the extents of its values as integers at these sizes, and
as terms over the inputs' dynamic extents."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar, cast

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from ...dialects.ncnn.blob import extents_in, static_shape_of
from ...dialects.ncnn.extents import AXES
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.weight_specs import Shape
from ...dialects.shapes.terms import UNKNOWN, Atom, Extent, Extents, ExtentTerm, symbol

LayerT = TypeVar("LayerT", bound=LayerOp)

Numbers = tuple[int, ...]
"""The integer value of an extent in each export: one or two integers."""


class ParamAssumption(NamedTuple):
    """An integer parameter of a layer that is assumed to be independent of the inputs' extents."""

    op: LayerOp
    param: str
    place: int | None
    """The index in a list."""

    def value(self) -> int:
        """The parameter's present value; 0 if an expression replaced it."""
        value = getattr(self.op, self.param)
        if self.place is None:
            return value
        return value[self.place] if self.place < len(value) else 0

    def increment(self, op: LayerOp) -> None:
        """Increment the parameter in a copy of the layer."""
        value, i = getattr(self.op, self.param), self.place
        more = value + 1 if i is None else (*value[:i], value[i] + 1, *value[i + 1 :])
        op.set_params(**{self.param: more})


class ValueAssumption(NamedTuple):
    """A number that is assumed to be independent of the inputs' extents. For each part of a
    constant: its number, and the integer values of the part's extents."""

    op: LayerOp
    parts: Sequence[tuple[float, Sequence[Numbers]]]


class ExportedModel:
    """Terms and integers of the extents of a model's values. `record` receives values in program
    order, except where a layer depends on later ones."""

    def __init__(self, func: FuncOp, other: FuncOp | None = None) -> None:
        """`other` is an export at another size."""
        self.func = func
        self.terms: dict[SSAValue, Extents] = {}
        self.problems: list[str] = []
        """The reasons why layers cannot become dynamic."""
        self.multiples_may_fit = False
        """Whether a reason may not hold if the inputs' extents are multiples of an integer."""
        self.others: dict[SSAValue, SSAValue] = {}
        """The corresponding values in the other export."""
        self.other_ops: dict[Operation, LayerOp] = {}
        """The corresponding layers in the other export."""
        self.compositions: dict[ExtentTerm, list[tuple[Extents, ...]]] = defaultdict(list)
        """The ways in which an extent was composed: a sum of parts, by Concat. Each part is a
        product of merged axes, by Reshape."""
        self.computed: dict[tuple[SSAValue, Extents], SSAValue] = {}
        """The computed replacements of constants for these dynamic extents."""
        self.param_assumptions: list[ParamAssumption] = []
        self.value_assumptions: list[ValueAssumption] = []
        self.new_constants: set[Operation] = set()
        """The constants of computed replacements. `value_assumptions` contains their numbers."""
        self._values: dict[tuple[str, Numbers], dict[Extent, SSAValue]] = defaultdict(dict)
        self._atoms: dict[Atom, Numbers] = {}
        self._numbers: dict[Extent, Numbers] = {}

    def shapes(self, value: SSAValue) -> list[Shape] | None:
        """Return the shape of a value in each export; `None` unless all are static."""
        both = [value, self.others[value]] if value in self.others else [value]
        shapes = [static_shape_of(v) for v in both]
        known = [shape for shape in shapes if shape is not None]
        return known if len(known) == len(both) else None

    def exports(self, op: LayerT) -> list[LayerT]:
        """Return a layer, and the corresponding layer of the other export, if any."""
        other = self.other_ops.get(op)
        return [op] if other is None else [op, cast(LayerT, other)]

    def of(self, value: SSAValue) -> Extents | None:
        """Return the extents of a value as terms, if they were recorded."""
        return self.terms.get(value)

    def record(self, value: SSAValue, extents: Extents | None) -> None:
        """Record the extents of a value. Unknown extents become symbols."""
        if extents is None:
            shape = extents_in(value.type)
            extents = (UNKNOWN,) * len(shape) if shape is not None else None
        if extents is None:
            return
        named = tuple(symbol(value, i) if n is UNKNOWN else n for i, n in enumerate(extents))
        self.terms[value] = named
        shapes = self.shapes(value)
        if shapes is None or len(shapes[0]) != len(named):
            return
        if self.others and value not in self.others:  # unknown in the other export
            return
        for letter, term, *numbers in zip(AXES[len(named)], named, *shapes, strict=True):
            if isinstance(term, ExtentTerm):
                self._record_atom(term, tuple(numbers))
                self._values[letter, tuple(numbers)].setdefault(term, value)
                self._numbers.setdefault(term, tuple(numbers))

    def record_symbol(self, term: ExtentTerm, numbers: Numbers) -> None:
        """Record the integer values of a named extent."""
        self._record_atom(term, numbers)

    def replace(self, old: SSAValue, new: SSAValue, extents: Extents) -> None:
        """Replace a value by another one of these extents."""
        if old in self.others:
            self.others[new] = self.others[old]
        new = Rewriter.replace_value_with_new_type(new, old.type)
        old.replace_all_uses_with(new)
        self.record(new, extents)

    def terms_along(self, axis: str, numbers: Numbers) -> Mapping[Extent, SSAValue]:
        """Return the terms with these integer values along an axis of recorded values, each with
        its first value."""
        return self._values[axis, numbers]

    def _record_atom(self, term: ExtentTerm, numbers: Numbers) -> None:
        """Record the integer values of an atom from a multiple of it."""
        ((monomial, factor), *more) = term.parts.items()
        if not more and len(monomial) == 1:
            self._atoms.setdefault(monomial[0], tuple(n // factor for n in numbers))

    def numbers_of(self, term: Extent) -> Numbers | None:
        """Return the integer value of an extent in each export; `None` if it is unknown."""
        if not isinstance(term, ExtentTerm):
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
        """Return the dynamic extents of recorded values with their integer values."""
        return self._numbers

    def holders(self, term: Extent) -> Iterator[tuple[SSAValue, str]]:
        """Yield the values with an extent, and its axis, in the order of their records."""
        for value, extents in self.terms.items():
            for letter, n in zip(AXES[len(extents)], extents, strict=True):
                if n == term:
                    yield value, letter

    def refuse(self, op: LayerOp, reason: str) -> None:
        """Record the reason why a layer cannot become dynamic."""
        self.problems.append(f"{op.label()}: {reason}")

    def refuse_ambiguous(self, op: LayerOp, reason: str, of_multiples: bool = False) -> None:
        """Record that one export does not determine how a layer becomes dynamic, with the remedy.
        `of_multiples`: that may be clear if the inputs' extents are multiples of an integer."""
        self.refuse(op, f"{reason}: {self.advice()}")
        self.multiples_may_fit |= of_multiples

    def advice(self) -> str:
        """Return the remedy for an ambiguous constant."""
        if self.others:
            return "use exports at other sizes"
        return "give an export at another size (--other-export)"


def named_extent(name: str) -> ExtentTerm:
    """Return an extent that the user named; it may be 0, as the number of past steps."""
    return symbol("named", name, least=0)


def evaluate(extent: Extent, atoms: Mapping[Atom, int]) -> int | None:
    """Return the integer value of an extent for these values of its atoms; `None` if one is
    missing."""
    if not isinstance(extent, ExtentTerm):
        return extent
    if extent is UNKNOWN:
        return None
    total = 0
    for monomial, factor in extent.parts.items():
        for atom in monomial:
            value = atoms.get(atom)
            if value is None and atom.name == "//":
                dividend, divisor = cast(tuple[ExtentTerm, int], atom.args)
                inner = evaluate(dividend, atoms)
                value = None if inner is None else inner // divisor
            if value is None:
                return None
            factor *= value
        total += factor
    return total


def extents_along(shapes: Iterable[Shape], axis: int) -> Numbers:
    """Return the extents of shapes along an axis."""
    return tuple(shape[axis] for shape in shapes)
