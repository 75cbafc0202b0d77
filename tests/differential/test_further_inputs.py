"""Layers with more inputs than they have, as some converters write them: taken where the runtime
takes and ignores them, kept in the file, and never read by what a pass makes of the model."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn import BY_TYPE
from ncnn_opt.formats.errors import FormatError
from ncnn_opt.formats.param_text import read_param_text

from .compiler import load, optimize, save
from .layer_cases import Case, CaseNet, net_of
from .nets import fresh
from .runtime import Array, Blobs, Failure, Runtime
from .semantics import NOT_COMPARED, UNDEFINED, all_cases

LEFT_OUT: Mapping[str, str] = {
    "MemoryData": "has no input that could carry others; no converter writes them",
    "MultiHeadAttention": "how many of its six inputs it has is for its parameters to say",
    "SDPA": "the same",
}
"""Layer types of which nothing is said here, and why."""


def fullest_cases() -> list[Case]:
    """For each layer type with a greatest number of inputs the cases with the most of them."""
    fullest: dict[str, list[Case]] = {}
    for case in (case for family in all_cases().values() for case in family):
        if BY_TYPE[case.type].NUM_INPUTS[1] is None or case.line in UNDEFINED:
            continue
        if case.type in {*NOT_COMPARED, *LEFT_OUT}:
            continue
        others = fullest.setdefault(case.type, [])
        if not others or len(others[0].inputs) < len(case.inputs):
            fullest[case.type] = [case]
        elif len(others[0].inputs) == len(case.inputs) and len(others) < 2:
            others.append(case)
    return [case for cases in fullest.values() for case in cases]


def with_further_inputs(net: CaseNet, folder: Path, count: int) -> tuple[Path, dict[str, Array]]:
    """The net of a case whose layer gets so many inputs more; and all inputs."""
    *head, layer = net.text.splitlines()
    words = layer.split()
    bottoms = int(words[2])
    names = [f"further{i}" for i in range(count)]
    words[2] = str(bottoms + count)
    words[4 + bottoms : 4 + bottoms] = names
    lines = [*head[2:], *(f"Input {name} 0 1 {name} 0=7" for name in names), " ".join(words)]
    layers, blobs = (int(n) + count for n in head[1].split())
    path = folder / "further.param"
    fresh(path).write_text("\n".join(["7767517", f"{layers} {blobs}", *lines]) + "\n")
    fresh(path.with_suffix(".bin")).write_bytes(net.weights)
    return path, {**net.inputs, **{name: np.full(7, 9e9, np.float32) for name in names}}


@pytest.mark.parametrize("case", fullest_cases(), ids=str)
def test_we_take_what_the_runtime_ignores(case: Case, runtime: Runtime, tmp_path: Path) -> None:
    net = net_of(case)
    plain = runtime.run(net.write(tmp_path), net.inputs, net.outputs)
    assert not isinstance(plain, Failure), plain
    for count in (1, 2):
        path, inputs = with_further_inputs(net, tmp_path, count)
        further = runtime.run(path, inputs, net.outputs)
        ignored = not isinstance(further, Failure) and equal(plain, further)
        try:
            module = load(path)
        except FormatError:
            assert not ignored
            continue
        assert ignored
        saved = save(module, tmp_path / "saved.param")
        assert wiring(saved) == wiring(path)
        assert saved.with_suffix(".bin").read_bytes() == net.weights
        optimized = runtime.run(optimize(path, tmp_path / "fast.param"), inputs, net.outputs)
        assert not isinstance(optimized, Failure), optimized
        assert all(optimized[n] == pytest.approx(plain[n], 1e-5, nan_ok=True) for n in plain)


def wiring(path: Path) -> list[tuple[str, str, tuple[str, ...], tuple[str, ...]]]:
    layers = read_param_text(path.read_bytes(), "").layers
    return [(layer.type, layer.name, layer.bottoms, layer.tops) for layer in layers]


def equal(a: Blobs, b: Blobs) -> bool:
    return all(np.array_equal(a[name], b[name], equal_nan=True) for name in a)
