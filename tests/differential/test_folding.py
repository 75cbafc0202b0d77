"""Constant folding: every layer case, its inputs constants, before and after in the runtime."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .amount import REPEATABLE, examples
from .compiler import optimize
from .layer_cases import Case, has_layer, net_of
from .nets import Net, fresh, layer_types
from .runtime import Failure, Runtime
from .semantics import DIFFERENT, NOT_COMPARED, all_cases, assert_equal

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


@st.composite
def nets(draw: st.DrawFn) -> Net:
    """A chain of constants beside a chain of blobs, joined here and there."""
    net = Net(draw(st.integers(0, 2**16)))
    shape = draw(st.sampled_from([(6,), (2, 3), (2, 3, 4)]))
    x, c = net.input("x", shape), net.constant("c", net.positive(*shape))
    for i in range(draw(st.integers(1, 6))):
        match draw(st.sampled_from(["unary", "scalar", "join", "constants", "permute", "split"])):
            case "unary":
                c = net.layer("UnaryOp", c, f"u{i}", {0: draw(st.sampled_from([0, 4, 5, 7, 8]))})
            case "scalar":
                c = net.layer("BinaryOp", c, f"s{i}", {0: 2, 1: 1, 2: 0.5})
            case "join":
                c, spare = net.layer("Split", c, [f"a{i}", f"b{i}"]), f"b{i}"
                x = net.layer("BinaryOp", [x, spare], f"j{i}", {0: 0})
            case "constants":
                other = net.constant(f"m{i}", net.positive(shape[-1]))
                c = net.layer("BinaryOp", [c, other], f"k{i}", {0: 2})
            case "permute" if len(shape) == 2:
                c = net.layer("Permute", c, f"p{i}", {0: 1})
                c = net.layer("Permute", c, f"q{i}", {0: 1})
            case _:
                c = net.layer("Split", c, [f"t{i}", f"out{i}"])
    net.layer("BinaryOp", [x, c], "end", {0: 0})
    return net


@given(net=nets())
@settings(REPEATABLE, max_examples=examples(60))
def test_chains(net: Net, runtime: Runtime, tmp_path_factory: pytest.TempPathFactory) -> None:
    param = net.write(tmp_path_factory.mktemp("chain"))
    before = runtime.run(param, net.inputs, net.outputs)
    assert not isinstance(before, Failure), before
    result = optimize(param, param.with_name("folded.param"), PASSES)
    left = layer_types(result)
    assert not {"UnaryOp", "Permute"} & set(left)
    after = runtime.run(result, net.inputs, net.outputs)
    assert not isinstance(after, Failure), after
    for name in net.outputs:
        assert_equal(after[name], before[name])
