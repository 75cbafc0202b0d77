"""Samples from which no good scales follow: too few, equal ones, and such as leave blobs as they
are."""

from collections.abc import Sequence

from .prepared import Prepared
from .statistics import VARIES, Statistics

NAMED = 3
"""Names in a warning, before the number of others."""


def warnings_of(prepared: Prepared, names: Sequence[str], found: Statistics) -> list[str]:
    """Warnings of calibration with one sample, with equal samples, and with blobs that are one
    value or the same in all samples. `names` are those of all samples."""
    warnings: list[str] = []
    done = sorted(found.done)
    copies = _copies(found)
    all_equal = len(copies) == len(done) - 1
    if len(done) == 1:
        warnings.append(f"'{names[done[0]]}' is the only sample: the scales fit nothing else")
    elif all_equal:
        listed = _listed([f"'{names[i]}'" for i in done])
        warnings.append(f"all {len(done)} samples are equal: {listed}")
    elif copies:
        listed = _listed([f"'{names[i]}' is '{names[first]}'" for i, first in copies.items()])
        warnings.append(f"{len(copies)} of {len(done)} samples are copies of others: {listed}")
    readers: dict[str, str] = {}
    for candidate in prepared.candidates:
        readers.setdefault(candidate.bottom, candidate.label)
    still: list[str] = []
    for blob in prepared.in_order(list(readers)):
        text = found.prints[blob]
        if text.startswith("="):
            still.append(f"'{blob}' (input of {readers[blob]}) is {text[1:] or 'empty'} everywhere")
        elif text != VARIES and not all_equal:
            still.append(f"'{blob}' (input of {readers[blob]}) is the same in all samples")
    if still:
        warnings.append(f"blobs that do not vary: {_listed(still)}")
    return warnings


def _copies(found: Statistics) -> dict[int, int]:
    """The samples whose inputs are those of an earlier one, with that one."""
    first: dict[str, int] = {}
    copies: dict[int, int] = {}
    for index in sorted(found.done):
        earlier = first.setdefault(found.inputs[index], index)
        if earlier != index:
            copies[index] = earlier
    return copies


def _listed(words: Sequence[str]) -> str:
    others = len(words) - NAMED
    return ", ".join(words[:NAMED]) + (f" and {others} more" if others > 0 else "")
