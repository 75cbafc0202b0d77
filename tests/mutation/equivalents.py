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
    Equivalent(
        "runtime/devices/session.py",
        "if own == 128 + signal.SIGALRM:",
        "ReplaceBinaryOperator_Add_BitOr",
        "the operands have no binary digit in common",
    ),
    Equivalent(
        "runtime/devices/session.py",
        "LIMIT = 600",
        "NumberReplacer",
        "a limit of time that no test can wait for",
    ),
    Equivalent(
        "driver/batch/device_places.py",
        "GRACE = 60.0",
        "NumberReplacer",
        "a limit of time that no test can wait for",
    ),
    Equivalent(
        "runtime/devices/file_cache.py",
        "return os.urandom(4).hex()",
        "NumberReplacer",
        "a random name may have more digits or fewer",
    ),
    Equivalent(
        "transforms/float16_safety/minimal_masks.py",
        "EFFORT = 800",
        "NumberReplacer",
        "one first layer more or less to search from",
    ),
    Equivalent(
        "driver/bundles/bundle_export.py",
        "STEPS = 20",
        "NumberReplacer",
        "one call more or less is compared",
    ),
    Equivalent(
        "driver/bundles/causal_models.py",
        "out = self.base(input_ids=torch.tensor([[*ids]]), use_cache=False, **more)",
        "ReplaceFalseWithTrue",
        "the cache of a single call is not read",
    ),
)


def reason_of(mutant: Mutant, source: str) -> str | None:
    """Return why a mutant of a source changes no result; `None` if no reason is known."""
    line = source.splitlines()[mutant.line - 1].strip()
    key = (mutant.path, line, mutant.operator.removeprefix("core/"))
    return next((each.reason for each in EQUIVALENTS if each[:3] == key), None)
