"""Identities of numbers with comparisons: one identity for each pattern of signs.

The comparisons of both sides split the space of the symbols into cells: in a cell each difference
that is compared has one sign. In each cell the sides are polynomials, rational functions and
uninterpreted functions of the symbols, so equal residues are a proof there (see `field.py`). A
solver finds the cells: a pattern of signs counts as a cell unless the solver refutes it. If the
residues differ in a cell, the solver decides: the sides may be equal because a difference is 0, and
if they are not, it has a point at which they differ.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from .expressions import (
    SYMBOL,
    WEIGHT,
    Expression,
    Part,
    TooMany,
    is_plain,
    recording,
    residue_of_part,
    value_of,
)
from .field import PRIME

try:
    import z3  # pyright: ignore
except ImportError:  # the extra `prove`
    z3 = None
solver_library: Any = z3
"""The module `z3`, if it is installed."""

MOST_PATTERNS = 2_000
"""The largest number of sign patterns of a proof."""

MOST_SIGNS = 200
"""The largest number of signs in a pattern."""

EFFORT = 400_000
"""The resources that the solver may use for a question, in its own unit: a limit in seconds would
make results depend on the machine."""

POSITIVE_SIGN, ANY_SIGN = frozenset({1}), frozenset({-1, 0, 1})

Signs = frozenset[int]


class Undecided(Exception):
    """There is no proof; the message is the reason."""


@dataclass
class SignProof:
    """The result of a proof by sign patterns."""

    reason: str = ""
    """Why there is no proof; empty if there is one."""
    patterns: int = 0
    """The feasible patterns, each with an identity."""
    by_solver: int = 0
    """How many of the identities the solver decided."""
    witness: Mapping[int, Fraction] = field(default_factory=dict[int, Fraction])
    """Values of symbols, by residue, for which the sides differ."""


def compare_by_patterns(pairs: Iterable[tuple[Part, Part]]) -> SignProof:
    """Compare pairs of numbers in each feasible pattern of signs of their comparisons."""
    if solver_library is None:
        return SignProof("its signs need a solver: the extra 'prove' installs z3-solver")
    outcome = SignProof()
    done: set[object] = set()
    for pair in pairs:
        if residue_of_part(pair[0]) == residue_of_part(pair[1]):
            continue
        key = _structure(pair)
        if key in done:
            continue
        done.add(key)
        try:
            with recording():
                _Splitter(outcome).split(*pair)
        except (Undecided, TooMany) as e:
            outcome.reason = str(e)
            return outcome
    return outcome


def _structure(pair: tuple[Part, Part]) -> object:
    """Return a key that is equal for pairs that differ in the names of symbols only."""
    reached: dict[int, Expression] = {}
    pending = [part for part in pair if isinstance(part, Expression)]
    while pending:
        each = pending.pop()
        if each.serial not in reached:
            reached[each.serial] = each
            pending += [part for part in each.args if isinstance(part, Expression)]
    symbols: dict[int, int] = {}  # equal residues are one symbol
    numbers = {
        serial: symbols.setdefault(each.residue, i) if each.kind == SYMBOL else i
        for i, (serial, each) in enumerate(sorted(reached.items()))
    }

    def name(part: Part) -> object:
        return (numbers[part.serial],) if isinstance(part, Expression) else part

    rows = [
        (
            each.kind,
            numbers[serial],
            each.residue if each.kind == WEIGHT else each.value,
            *map(name, each.args),
        )
        for serial, each in sorted(reached.items())
    ]
    return (*map(name, pair), *rows)


class _Splitter:
    """The patterns of one pair."""

    def __init__(self, outcome: SignProof) -> None:
        self.outcome = outcome
        self.solver = solver_library.Solver()
        self.solver.set("rlimit", EFFORT)
        self.signs: dict[int, tuple[Expression, Signs]] = {}
        """The possible signs of differences, by residue."""
        self.facts: list[Any] = []
        """Facts about results of functions."""
        self.terms: dict[int, Any] = {}
        """The terms of plain numbers, by residue: equal residues are equal numbers."""

    def split(self, a: Part, b: Part) -> None:
        """Compare two numbers in each pattern. Raises `Undecided`."""
        made: dict[int, Part] = {}
        difference, wanted = self._open(a, b, made)
        if difference is None:
            self._decide(made_of(a, made), made_of(b, made))
            return
        if len(self.signs) >= MOST_SIGNS:
            raise Undecided(f"it has more than {MOST_SIGNS} comparisons")
        known = self.signs.get(difference.residue, (difference, ANY_SIGN))[1]
        for signs in (known & wanted, known - wanted):
            before = self.signs.get(difference.residue)
            self.signs[difference.residue] = (difference, signs)
            self.solver.push()
            self.solver.add(_condition(self.term(difference), signs))
            if self.check() != solver_library.unsat:
                self.split(a, b)
            if before is None:
                del self.signs[difference.residue]
            else:
                self.signs[difference.residue] = before
            self.solver.pop()

    def _open(self, a: Part, b: Part, made: dict[int, Part]) -> tuple[Expression | None, Signs]:
        """Replace the parts of two numbers by plain ones in the current pattern; return the first
        difference of unknown sign, and the signs that must be told from others."""
        for each in _in_order(a, b):
            args = [made_of(part, made) for part in each.args]
            question = _question(each.kind, args)
            if question is None:
                made[each.serial] = _rebuilt(each, args)
                continue
            difference, wanted, results = question
            known = self._signs_of(difference)
            if not known & wanted or known <= wanted:
                made[each.serial] = results[0 if known <= wanted else 1]
                continue
            if not isinstance(difference, Expression):
                difference = Expression(WEIGHT, (), difference % PRIME)
            return _canonical(difference, wanted)
        return None, ANY_SIGN

    def _signs_of(self, difference: Part) -> Signs:
        residue = residue_of_part(difference)
        if residue == 0:
            return frozenset({0})
        value = value_of(difference)
        if value is not None:
            return frozenset({1 if value > 0 else -1})
        if residue in self.signs:
            return self.signs[residue][1]
        if PRIME - residue in self.signs:
            return frozenset(-sign for sign in self.signs[PRIME - residue][1])
        return ANY_SIGN

    def _decide(self, a: Part, b: Part) -> None:
        """Compare two plain numbers in the current pattern."""
        self.outcome.patterns += 1
        if self.outcome.patterns > MOST_PATTERNS:
            raise Undecided(f"its comparisons have more than {MOST_PATTERNS:,} patterns of signs")
        if residue_of_part(a) == residue_of_part(b):
            return
        found = self.check(self.term(a) != self.term(b))
        if found == solver_library.sat:
            raise Undecided(
                "no proof for some signs of the comparisons (functions such as tanh count as "
                "arbitrary ones there)"
            )
        if found == solver_library.unknown:
            raise Undecided("the solver gives up on a pattern of signs")
        self.outcome.by_solver += 1

    def check(self, *conditions: Any) -> Any:
        """Return whether the current pattern has a point at which conditions hold."""
        self.solver.push()
        self.solver.add(*self.facts, *conditions)
        found = self.solver.check()
        if conditions and found == solver_library.sat:
            self.outcome.witness = _witness(self.solver.model())
        self.solver.pop()
        return found

    def term(self, part: Part) -> Any:
        """Return a plain number as a term of the solver."""
        if not isinstance(part, Expression):
            return _integer(part)
        for each in _in_order(part, part, plain=True):
            if each.residue not in self.terms:
                self.terms[each.residue] = self._term(each)
        return self.terms[part.residue]

    def _term(self, each: Expression) -> Any:
        args = [
            self.terms[part.residue] if isinstance(part, Expression) else _integer(part)
            for part in each.args
        ]
        match each.kind:
            case "constant":
                assert each.value is not None
                return solver_library.RealVal(str(each.value))
            case "+":
                return args[0] + args[1]
            case "*":
                return args[0] * args[1]
            case _:
                term = solver_library.Real(f"{each.kind} {each.residue}")
                self.facts += _facts(each.kind, term, args)
                return term


def _facts(kind: str, term: Any, args: Sequence[Any]) -> list[Any]:
    """Return facts about the result of a function."""
    match kind, args:
        case "1/", [x]:
            implies = solver_library.Implies
            return [implies(x > 0, term > 0), implies(x < 0, term < 0), implies(x > 1, term < 1)]
        case "exp", _:
            return [term > 0]
        case "sqrt", _:
            return [term >= 0]
        case (("tanh" | "erf"), _):
            return [term >= -1, term <= 1]
        case "floor", [x]:
            return [term <= x, term > x - 1]
        case "ceil", [x]:
            return [term >= x, term < x + 1]
        case "rint", [x]:
            return [2 * term <= 2 * x + 1, 2 * term >= 2 * x - 1]
        case _:
            return []


def _in_order(a: Part, b: Part, plain: bool = False) -> list[Expression]:
    """Return the expressions that two numbers are computed from, in order: those with comparisons,
    or those without."""
    reached: dict[int, Expression] = {}
    pending = [a, b]
    while pending:
        each = pending.pop()
        if isinstance(each, Expression) and each.serial not in reached:
            if plain or not each.is_plain:
                reached[each.serial] = each
                pending += each.args
    return [reached[serial] for serial in sorted(reached)]


def made_of(part: Part, made: Mapping[int, Part]) -> Part:
    """Return the plain number in the place of a part."""
    return part if is_plain(part) or isinstance(part, int) else made[part.serial]


def _question(kind: str, args: Sequence[Part]) -> tuple[Part, Signs, tuple[Part, Part]] | None:
    """Return the difference of a comparison, the signs for which it is true, and the two results;
    `None` for other kinds."""
    match kind:
        case "max":
            return args[0] + -args[1], POSITIVE_SIGN, (args[0], args[1])
        case ">0":
            return args[0], POSITIVE_SIGN, (1, 0)
        case "=0":
            return args[0], frozenset({0}), (1, 0)
        case _:
            return None


def _canonical(difference: Expression, wanted: Signs) -> tuple[Expression, Signs]:
    """Return a difference or its negative, the same for both."""
    negative = -difference
    if difference.residue <= PRIME // 2 or not isinstance(negative, Expression):
        return difference, wanted
    return negative, frozenset(-sign for sign in wanted)


def _rebuilt(each: Expression, args: Sequence[Part]) -> Part:
    """Return an expression of other parts."""
    match each.kind:
        case "+":
            return args[0] + args[1]
        case "*":
            return args[0] * args[1]
        case "1/":
            if not residue_of_part(args[0]):
                raise Undecided("a divisor is 0 for some signs of the comparisons")
            divisor = args[0]
            return divisor.inverse() if isinstance(divisor, Expression) else pow(divisor, -1, PRIME)
        case _:
            return each.function(each.kind, tuple(args))


def _integer(part: int) -> Any:
    """Return a number without an expression as a term: an integer, or a weight."""
    value = value_of(part)
    if value is None:
        return solver_library.Real(f"weight {part % PRIME}")
    return solver_library.RealVal(str(value))


def _condition(term: Any, signs: Signs) -> Any:
    """Return the condition that a term has one of these signs."""
    match tuple(sorted(signs)):
        case (1,):
            return term > 0
        case (0,):
            return term == 0
        case (-1,):
            return term < 0
        case (0, 1):
            return term >= 0
        case (-1, 0):
            return term <= 0
        case _:
            return term != 0


def _witness(model: Any) -> Mapping[int, Fraction]:
    """Return the values of the symbols in a model of the solver."""
    found: dict[int, Fraction] = {}
    for each in model:
        kind, _, residue = each.name().rpartition(" ")
        value = model[each]
        if kind == SYMBOL and solver_library.is_rational_value(value):
            found[int(residue)] = Fraction(value.as_fraction())
    return found
