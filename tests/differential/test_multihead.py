"""Attention with the Gemms around it becomes a MultiHeadAttention, and that of long sequences the
other way round: models before and after, in the real runtime."""

from pathlib import Path

from .amount import examples
from .multihead import MISSES, multihead
from .near_misses import Rewriting, check
from .runtime import Runtime
from .whole_heads import MISSES as SHORT
from .whole_heads import whole_heads

EXAMPLES = examples(75)

REWRITING = Rewriting(
    # They are too small for it to be faster, so they are made for no processor.
    passes=("ncnn-tune{processor=none}", "eliminate-split", "fuse-multiheadattention"),
    is_made=lambda model, checked: "MultiHeadAttention" in checked.types,
    misses=MISSES,
    least=0.67,
    alone=True,
)


def test_attention_becomes_one_layer(runtime: Runtime, tmp_path: Path) -> None:
    check(multihead, EXAMPLES, REWRITING, runtime, tmp_path)


APART = Rewriting(
    passes=("ncnn-tune{processor=x86}", "replace-multiheadattention-with-sdpa"),
    is_made=lambda model, checked: "SDPA" in checked.types,
    misses=SHORT,
    least=0.67,
    alone=True,
)


def test_long_sequences_become_products(runtime: Runtime, tmp_path: Path) -> None:
    check(whole_heads, EXAMPLES, APART, runtime, tmp_path)
