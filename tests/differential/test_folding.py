"""Constant folding: every layer case, its inputs constants, before and after in the runtime."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.transforms import OPTIMIZE

from .amount import examples, for_each
from .compiler import optimize
from .constants import constant_chains
from .driver import Trial
from .layer_cases import Case, has_layer, net_of
from .nets import Net, fresh, layer_types
from .runtime import Failure, Runtime
from .semantics import DIFFERENT, NOT_COMPARED, TOLERANCE, all_cases, assert_equal
from .sketches import Sketch

ncnn: Any = pytest.importorskip("ncnn")

PASSES = ("eliminate-split", "fold-constants")

FEWEST = 1200
"""At least so many of the cases fold; the others give no finite floats, or grow."""


def constant_cases() -> Iterator[Case]:
    for cases in all_cases().values():
        for case in cases:
            if case.inputs and case.type not in NOT_COMPARED and case.line not in DIFFERENT:
                yield case


def with_constants(case: Case, folder: Path) -> tuple[Path, list[str]] | None:
    """The net of a case with MemoryData for Input layers; `None` if an input holds no floats."""
    net = net_of(case)
    if any(values.dtype != np.float32 for values in net.inputs.values()):
        return None
    lines = net.text.splitlines()
    memory = bytearray()
    for i, line in enumerate(lines):
        if not line.startswith("Input "):
            continue
        name = line.split()[4]
        values = net.inputs[name]
        ids = {1: "0", 2: "10", 3: "210", 4: ("2", "11", "1", "0")}[values.ndim]
        extents = " ".join(f"{id}={n}" for id, n in zip(ids, values.shape, strict=True))
        lines[i] = f"MemoryData {name} 0 1 {name} {extents}"
        memory += values.astype("<f4").tobytes()
    path = folder / "net.param"
    fresh(path).write_text("\n".join(lines) + "\n")
    fresh(path.with_suffix(".bin")).write_bytes(bytes(memory) + net.weights)
    return path, net.outputs


def test_every_layer(runtime: Runtime, tmp_path: Path) -> None:
    folded, tried = 0, 0
    crashed: list[str] = []
    for case in constant_cases():
        made = with_constants(case, tmp_path) if has_layer(ncnn, case) else None
        if made is None:
            continue
        param, outputs = made
        before = runtime.run(param, {}, outputs)
        if isinstance(before, Failure):
            crashed.append(case.type)
            continue
        result = optimize(param, tmp_path / "folded.param", PASSES)
        tried += 1
        if case.type in layer_types(result):
            continue
        folded += 1
        after = runtime.run(result, {}, outputs)
        assert not isinstance(after, Failure), (case, after)
        for name in outputs:
            assert_equal(after[name], before[name])
    assert folded >= FEWEST, f"{folded} of {tried} cases fold"
    # Its caches must not come from a MemoryData: the runtime divides by zero.
    assert set(crashed) <= {"MultiHeadAttention"}


def test_chains(runtime: Runtime, tmp_path: Path) -> None:
    def check(model: Sketch) -> None:
        trial = Trial(model.build(), runtime, tmp_path, TOLERANCE)
        assert trial.is_evidence
        assert not {"UnaryOp", "Permute"} & set(trial.after(PASSES).types)

    for_each(constant_chains(), examples(30), check)


@pytest.mark.parametrize("passes", [("canonicalize",), OPTIMIZE], ids=["canonicalize", "-O"])
@pytest.mark.parametrize("split", ["before", "behind"])
def test_constants_are_there_once(
    split: str, passes: tuple[str, ...], runtime: Runtime, tmp_path: Path
) -> None:
    # Each of two layers folds by itself; what comes out is the same.
    net = Net(3)
    net.input("x", (2, 6))
    net.layer("MemoryData", [], "m", {0: 12})
    net.plain(net.normal(12))
    if split == "before":
        net.layer("Split", "m", ["m0", "m1"])
        blobs = [net.layer("Reshape", f"m{i}", f"r{i}", {0: 6, 1: 2}) for i in range(2)]
    else:
        net.layer("Reshape", "m", "r", {0: 6, 1: 2})
        net.layer("Split", "r", blobs := ["r0", "r1"])
    net.layer("BinaryOp", ["x", blobs[0]], "y", {0: 4})
    net.layer("BinaryOp", ["y", blobs[1]], "z", {0: 6})
    checked = Trial(net, runtime, tmp_path).after(passes)
    assert sorted(checked.types) == ["BinaryOp", "BinaryOp", "Input", "MemoryData", "Split"]
    assert checked.is_stable()
