"""Two 1x1 Convolutions become one that has fewer multiplications: small models, before and after,
in the real runtime."""

from pathlib import Path

from .amount import examples
from .driver import Checked
from .near_misses import NearMiss, Rewriting, check
from .pointwise import MISSES, pointwise
from .runtime import Runtime

EXAMPLES = examples(75)


def is_one(model: NearMiss, checked: Checked) -> bool:
    """Whether they are."""
    return checked.rewrites["fuse-convolution-convolution"] > 0


REWRITING = Rewriting(
    passes=("eliminate-split", "fuse-convolution-convolution"),
    is_made=is_one,
    misses=MISSES,
    least=0.53,
    alone=True,
)


def test_convolutions_of_pixels_are_composed(runtime: Runtime, tmp_path: Path) -> None:
    check(pointwise, EXAMPLES, REWRITING, runtime, tmp_path)
