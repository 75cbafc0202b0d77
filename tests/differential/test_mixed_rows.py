"""Gemms on rows of pixels become 1x1 Convolutions of images with fewer channels: small models,
before and after, in the real runtime."""

from pathlib import Path

from .amount import examples
from .mixed_rows import MISSES, mixed_rows
from .near_misses import Rewriting, check
from .runtime import Runtime

EXAMPLES = examples(75)

REWRITING = Rewriting(
    passes=("eliminate-split", "replace-gemm-with-convolution"),
    is_made=lambda model, checked: "Gemm" not in checked.types,
    misses=MISSES,
    least=0.53,
    alone=True,
)


def test_gemms_beside_images_become_convolutions(runtime: Runtime, tmp_path: Path) -> None:
    check(mixed_rows, EXAMPLES, REWRITING, runtime, tmp_path)
