"""Attention with the Gemms around it becomes a MultiHeadAttention: models before and after, in the
real runtime. (They are too small for it to be faster, so they are made for no processor.)"""

from pathlib import Path

from .amount import examples
from .multihead import MISSES, multihead
from .near_misses import Rewriting, check
from .runtime import Runtime

EXAMPLES = examples(150)

REWRITING = Rewriting(
    passes=("ncnn-tune{processor=none}", "eliminate-split", "fuse-multiheadattention"),
    is_made=lambda model, checked: "MultiHeadAttention" in checked.types,
    misses=MISSES,
    least=0.5,
    alone=True,
)


def test_attention_becomes_one_layer(runtime: Runtime, tmp_path: Path) -> None:
    check(multihead(), EXAMPLES, REWRITING, runtime, tmp_path)
