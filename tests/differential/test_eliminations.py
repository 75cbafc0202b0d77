"""Eliminations, mergers and replacements keep what a model computes: small models of layers that
move elements or do nothing, before and after, in the real runtime, and for inputs of other extents
than the file says. Each of them is seen to happen."""

from collections import Counter
from pathlib import Path

import pytest
from ncnn_opt.transforms import OPTIMIZE, get_all_passes

from .amount import examples, for_each
from .driver import Trial
from .moving import STEPS, Drawn, drawn
from .nets import layer_types
from .runtime import Runtime

EXAMPLES = 60
"""Models for all passes together."""

FEWER = 5
"""Models for each pass, in each round; four times as many where all cases are tested."""

ROUNDS = 24
"""How often others are drawn, until a pass has had something to do."""

POOLED = ("global_pooling", "flatten", "reshape", "pointwise")
DENSE = ("inner_product", "flatten", "reshape", "pointwise")

WHERE: dict[str, tuple[str, ...]] = {
    "eliminate-dropout": ("left_over",),
    "eliminate-noop": ("left_over",),
    "eliminate-pooling1x1": ("no_op",),
    "eliminate-identity": tuple(STEPS),
    "eliminate-flatten-after-global-pooling": POOLED,
    "eliminate-reshape-after-global-pooling": ("global_pooling",),
    "eliminate-flatten-after-innerproduct": DENSE,
    "eliminate-reshape-before-innerproduct": DENSE,
    "eliminate-reshape-before-binaryop": ("gate",),
    "eliminate-duplicate-layers": ("twice", "negated"),
    "merge-reshapes": ("reshape", "flatten", "squeeze", "expand_dims", "element_wise"),
    "merge-permutes": ("permute", "permute_back", "element_wise"),
    "merge-concats": ("nest", "join_and_cut"),
    "merge-crops": ("reshape", "crops"),
    "merge-reductions": ("reductions", "reduction", "squeeze", "flatten"),
    "merge-unaryops": ("element_wise", "negated"),
    "replace-reduction-with-global-pooling": ("reductions", "reduction"),
    "replace-prelu-with-leaky-relu": ("with_weights",),
    "replace-squeeze-with-reshape": ("squeeze", "expand_dims"),
    "replace-product-with-square": ("gate", "flatten"),
    "replace-convolution-with-innerproduct": POOLED,
    "replace-convolution-with-innerproduct-after-global-pooling": ("pointwise", "global_pooling"),
    "replace-convolution-with-innerproduct-after-innerproduct": ("inner_product", "pointwise"),
}
"""The steps of models in which a pass has something to do."""

OF_IMAGES = {
    "eliminate-reshape-after-global-pooling",
    "replace-reduction-with-global-pooling",
    "eliminate-reshape-before-binaryop",
    "replace-convolution-with-innerproduct-after-global-pooling",
}
"""Passes for models of blobs with 3 dims."""

ELSEWHERE = {
    "replace-gemm-with-convolution": "test_pixels",
    "replace-matmul-with-gemm": "test_products",
    "replace-1d-with-2d": "test_one_dim",
    "replace-multiheadattention-with-sdpa": "test_multihead",
    "replace-pooling-with-global-pooling": "test_promised",
    "eliminate-kept-axes": "test_gates",
    "eliminate-batches": "test_batches",
    "eliminate-repeated-heads": "test_rotations",
    "replace-deconvolution-with-convolution": "test_side_by_side",
}
"""Passes with models and a test of their own."""

NEVER = {"eliminate-split", "eliminate-dead-layers", "eliminate-orphaned-memorydata"}
"""Passes for which there is nothing to do in a file: what nothing uses is an output there. (And one
that puts a Split back.)"""


def check(model: Drawn, passes: list[str], runtime: Runtime, folder: Path) -> Counter[str]:
    """How often each rewrite was made, once the outputs are known to be the same."""
    trial = Trial(model.build(), runtime, folder)
    if not trial.is_evidence:
        return Counter({"no evidence": 1})
    checked = trial.after(passes)
    assert len(checked.types) <= len(layer_types(trial.param)) + 1  # (a Split for a name)
    assert checked.is_stable()
    return Counter({"evidence": 1}) + checked.rewrites


def test_every_pass_has_a_place_where_it_works() -> None:
    ours = {n for n in get_all_passes() if n.startswith(("eliminate-", "merge-", "replace-"))}
    assert ours - NEVER == WHERE.keys() | ELSEWHERE.keys()


def test_optimized_model_gives_the_same(runtime: Runtime, tmp_path: Path) -> None:
    seen: Counter[str] = Counter()

    def each(model: Drawn) -> None:
        seen.update(check(model, list(OPTIMIZE), runtime, tmp_path))

    for_each(drawn(), examples(EXAMPLES), each)
    assert seen["evidence"] > 0.8 * examples(EXAMPLES), seen


@pytest.mark.parametrize("pass_name", WHERE)
def test_single_pass_gives_the_same_and_happens(
    pass_name: str, every: bool, runtime: Runtime, tmp_path: Path
) -> None:
    seen: Counter[str] = Counter()
    count = examples(FEWER * 4 if every else FEWER)

    def each(model: Drawn) -> None:
        # (A file has Splits between what belongs together.)
        seen.update(check(model, ["eliminate-split", pass_name], runtime, tmp_path))

    models = drawn(WHERE[pass_name], 3 if pass_name in OF_IMAGES else None)
    for number in range(ROUNDS):
        for_each(models, count, each, first=1000 * number)
        if seen[pass_name]:
            break
    assert seen[pass_name] > 0, seen
