"""Warnings of samples that give poor scales: too few samples, equal samples, constant blobs."""

from collections.abc import Sequence

from .prepared import RuntimeModel
from .statistics import VARIES, Statistics
from .steps import QuantizationObserver

NAMED = 3
"""The number of names in a warning."""


def warn_of_samples(
    prepared: RuntimeModel, names: Sequence[str], found: Statistics, observer: QuantizationObserver
) -> None:
    """Pass the warnings of these statistics to an observer."""
    for message in warnings_of(prepared, names, found):
        observer.on_warning(message)


def warnings_of(prepared: RuntimeModel, names: Sequence[str], found: Statistics) -> list[str]:
    """Return warnings of one sample, of equal samples, and of blobs with one value everywhere or
    the same values in all samples. `names` has the names of all samples."""
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
    """Return the samples with the inputs of an earlier sample, with that sample."""
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
