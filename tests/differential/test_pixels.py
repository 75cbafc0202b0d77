"""Gemms on the pixels of an image become 1x1 Convolutions, and Reshapes between them go: small
models, before and after, in the real runtime."""

from pathlib import Path

from .amount import examples
from .near_misses import Rewriting, check
from .pixels import MISSES, pixels
from .runtime import Runtime

EXAMPLES = examples(75)

REWRITING = Rewriting(
    passes=("eliminate-split", "replace-gemm-with-convolution", "merge-reshapes"),
    is_made=lambda model, checked: "Gemm" not in checked.types,
    misses=MISSES,
    least=0.53,
)


def test_gemms_become_convolutions(runtime: Runtime, tmp_path: Path) -> None:
    check(pixels, EXAMPLES, REWRITING, runtime, tmp_path)
