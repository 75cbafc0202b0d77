"""Mutants that change no result, each with the reason. They are not tested, and count apart."""

from typing import NamedTuple

from .mutants import Mutant


class Equivalent(NamedTuple):
    """The mutants of an operator at a line of a file."""

    path: str
    line: str
    """The text of the line before the change, without indentation."""
    operator: str
    """Its name in cosmic-ray, without `core/`."""
    reason: str


EQUIVALENTS = (
    Equivalent("proofs/field.py", "@cache", "RemoveDecorator", "the functions have no state"),
    Equivalent(
        "proofs/field.py",
        "return ((numbers << np.uint64(by)) & np.uint64(PRIME)) | high",
        "ReplaceBinaryOperator_BitOr_Add",
        "the operands have no binary digit in common",
    ),
    Equivalent(
        "proofs/decisions.py",
        "return found if z == least else (found + z) % PRIME",
        "ReplaceComparisonOperator_Eq_LtE",
        "`least` is at most z",
    ),
    Equivalent(
        "proofs/extents.py",
        "TRIALS = 2",
        "NumberReplacer",
        "one point is a proof up to degree / 2^40, another one squares this",
    ),
)


def reason_of(mutant: Mutant, source: str) -> str | None:
    """Return why a mutant of a source changes no result; `None` if no reason is known."""
    line = source.splitlines()[mutant.line - 1].strip()
    key = (mutant.path, line, mutant.operator.removeprefix("core/"))
    return next((each.reason for each in EQUIVALENTS if each[:3] == key), None)
