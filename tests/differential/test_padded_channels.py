"""Channels of zeros beside those that the runtime does not keep together: small models, before and
after, in the real runtime."""

from pathlib import Path

from .amount import examples
from .driver import Checked
from .near_misses import NearMiss, Rewriting, check
from .padded_channels import MISSES, padded_channels
from .runtime import Runtime

EXAMPLES = examples(75)


def is_padded(model: NearMiss, checked: Checked) -> bool:
    """Whether channels are."""
    return checked.rewrites["pad-channels"] > 0


REWRITING = Rewriting(
    # On arm fewer numbers of channels pay.
    passes=("ncnn-tune{processor=x86}", "eliminate-split", "pad-channels"),
    is_made=is_padded,
    misses=MISSES,
    least=0.53,
    alone=True,
)


def test_channels_are_padded(runtime: Runtime, tmp_path: Path) -> None:
    check(padded_channels, EXAMPLES, REWRITING, runtime, tmp_path)
