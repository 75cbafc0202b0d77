"""Both forms of attention (one layer, or Gemms and Permutes around an SDPA) for the features and
steps in the tables of `analysis/target_info/`."""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from ncnn_opt.analysis.target_info import Processor
from ncnn_opt.analysis.target_info.facts import FasterAttention

from .measuring import print_table
from .models.writer import Writer
from .timing import cell_of, compare, title

HEADS = 4

MUL = 2
"""The multiplication of BinaryOp."""

FEATURES = (8, 16, 32, 64, 128)

STEPS = (16, 49, 100, 197, 400, 784, 1024)


def measure(folder: Path, processor: Processor, seconds: float) -> None:
    """Print the tables."""
    rows = [
        [fact.layer, str(features), str(steps), expected, ratio]
        for fact in processor.attention
        for expected in [(fact.source.measured or "").partition(" times")[0]]
        for features, steps in _places(fact)
        for ratio in [_ratio(folder, fact.layer, features, steps, seconds)]
    ]
    head = ["faster", "features", "steps", "in the table", "here"]
    print_table(title(" of a form of attention to that of the other"), head, rows)
    slow = processor.slow_sdpa
    expected = "" if slow is None else (slow.measured or "").partition(" times")[0]
    rows = [
        [
            str(features),
            str(steps),
            expected,
            *(_spelled(folder, features, steps, t, seconds) for t in (0, 1)),
        ]
        for features in FEATURES
        for steps in STEPS[:5]
    ]
    head = ["features", "steps", "in the table", "keys turned by MatMul", "by Permute"]
    print_table(title(" of an SDPA to that of products and a Softmax"), head, rows)


def _places(fact: FasterAttention) -> Iterator[tuple[int, int]]:
    """Yield the features and steps of a row, a few for each unbounded range."""
    for features in FEATURES:
        for steps in STEPS:
            if features in fact.features and steps in fact.steps:
                yield features, steps


def _ratio(folder: Path, faster: str, features: int, steps: int, seconds: float) -> str:
    print(f"attention, {features} x {steps} …", file=sys.stderr)
    width = HEADS * features
    whole, apart = Writer(folder / "whole.param"), Writer(folder / "apart.param")
    x = whole.layer("Input", [])
    whole.layer("MultiHeadAttention", x, f"0={width} 1={HEADS} 2={width * width}")
    for _ in range(4):
        whole.tagged(width * width, width**-0.5)
        whole.plain(width, 0.1)
    _apart(apart, features, steps, faster != "SDPA")
    paths = [whole.close(), apart.close()]
    values = np.random.default_rng(0).standard_normal((steps, width)).astype("f4")
    timing = compare(paths, {"input0": values}, folder, seconds)
    return cell_of(timing.ratio(1, 0) if faster == "SDPA" else timing.ratio(0, 1))


def _spelled(folder: Path, features: int, steps: int, turned: int, seconds: float) -> str:
    print(f"attention spelled out, {features} x {steps} …", file=sys.stderr)
    whole, apart = Writer(folder / "whole.param"), Writer(folder / "apart.param")
    for w in (whole, apart):
        blobs = [w.layer("Input", []) for _ in range(3)]
        heads = [w.layer("AbsVal", blob) for blob in blobs]
        if w is whole:
            w.layer("ReLU", w.layer("SDPA", heads))
            continue
        keys = w.layer("Permute", heads[1], "0=1") if turned else heads[1]
        x = w.layer("MatMul", [heads[0], keys], "" if turned else "0=1")
        x = w.layer("Softmax", w.binary(MUL, x, features**-0.5), "0=2 1=1")
        w.layer("ReLU", w.layer("MatMul", [x, heads[2]]))
    values = np.random.default_rng(0).standard_normal((HEADS, steps, features)).astype("f4")
    inputs = {f"input{i}": values for i in range(3)}
    return cell_of(compare([whole.close(), apart.close()], inputs, folder, seconds).ratio(0, 1))


def _apart(w: Writer, features: int, steps: int, together: bool) -> None:
    """Write one product for query, keys and values, as timm does, or three products, as the rewrite
    does."""
    width = HEADS * features
    x = w.layer("Input", [])
    if together:
        x = w.layer("Reshape", _product(w, x, width, 3), f"0={features} 1={HEADS} 11=3 2={steps}")
        parts = w.several("Slice", w.layer("Permute", x, "0=8"), 3, "-23300=3,-233,-233,-233 1=0")
        heads = [w.layer("Reshape", part, f"0={features} 1={steps} 2={HEADS}") for part in parts]
    else:
        rows = [_product(w, each, width, 1) for each in w.split(x, 3)]
        parts = [w.layer("Reshape", each, f"0={features} 1={HEADS} 2=-1") for each in rows]
        heads = [w.layer("Permute", part, "0=2") for part in parts]
    x = w.layer("Permute", w.layer("SDPA", heads), "0=2")
    _product(w, w.layer("Reshape", x, f"0={width} 1={steps}"), width, 1)


def _product(w: Writer, x: str, width: int, times: int) -> str:
    w.tagged(times * width * width, width**-0.5)
    w.tagged(times * width, 0.1)
    return w.layer("Gemm", x, f"3=1 5=1 6=1 8={times * width} 9={width} 10=4")
