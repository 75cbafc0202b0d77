"""Weights that are copied while passes run: the files are the same as without."""

import os
import struct
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from ncnn_opt.dialects.ncnn.weight_file import scratch_file
from ncnn_opt.driver.files import read_model
from ncnn_opt.driver.pipelines import run_pipeline
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.targets import Output
from ncnn_opt.targets.param import ahead as ahead_module
from ncnn_opt.targets.param.ahead import CopyAhead, copying_ahead
from ncnn_opt.targets.param.export import export_module
from ncnn_opt.targets.param.writing import ParamWriting
from xdsl.dialects.builtin import ModuleOp

LAYERS = (
    "InnerProduct {0} 1 1 {1} {0} 0=8 1=1 2=64\n",
    "InnerProduct {0} 1 1 {1} {0} 0=8 1=0 2=64\n",
    "Scale {0} 1 1 {1} {0} 0=8\n",
    "PReLU {0} 1 1 {1} {0} 0=8\n",
)


def write_net(folder: Path, kinds: str) -> str:
    """A model of these layers, by number, with weights that are all different."""
    names = ["data", *(f"l{i}" for i in range(len(kinds)))]
    lines = [LAYERS[int(k)].format(names[i + 1], names[i]) for i, k in enumerate(kinds)]
    head = f"7767517\n{len(names)} {len(names)}\nInput data 0 1 data 0=8\n"
    (folder / "net.param").write_text(head + "".join(lines))
    size = {"0": (True, 72), "1": (True, 64), "2": (False, 8), "3": (False, 8)}
    with (folder / "net.bin").open("wb") as out:
        for i, (tagged, count) in enumerate(size[kind] for kind in kinds):
            out.write(bytes(4 if tagged else 0))
            out.write(struct.pack(f"<{count}f", *(i + j / 7 for j in range(count))))
    return str(folder / "net.param")


@pytest.fixture(autouse=True)
def small_files_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead_module, "LEAST", 1)


def write_both_ways(
    folder: Path, source: str, change: Callable[[ModuleOp], Any], wait: bool = True
) -> int:
    """Writes a model that was changed, at once and with a copy made ahead, to compare them; how
    many bytes were there when writing began."""
    module = read_model(source, ReadOptions()).module
    change(module)
    plain = Output(str(folder / "plain.param"))
    ParamWriting(module, plain, str(folder / "plain.bin"), None).finish()

    module = read_model(source, ReadOptions()).module
    ready: list[int] = []
    with copying_ahead(module, str(folder / "ahead.bin"), None) as ahead:
        assert ahead is not None
        if wait:
            ahead._thread.join()  # pyright: ignore[reportPrivateUsage]
        change(module)
        finish = ahead.finish
        ahead.finish = lambda: ready.append(finish()) or ready[-1]
        output = Output(str(folder / "ahead.param"))
        ParamWriting(module, output, str(folder / "ahead.bin"), ahead).finish()
    assert (folder / "ahead.bin").read_bytes() == (folder / "plain.bin").read_bytes()
    assert (folder / "ahead.param").read_text() == (folder / "plain.param").read_text()
    names = {"ahead.bin", "ahead.param", "plain.bin", "plain.param", "net.bin", "net.param"}
    assert set(os.listdir(folder)) == names
    return ready[0]


def nothing(module: ModuleOp) -> None:
    pass


def optimize(module: ModuleOp) -> None:
    run_pipeline(module, "canonicalize")


@pytest.mark.parametrize("wait", [True, False])
@pytest.mark.parametrize("kinds", ["0", "0000", "3030", "0103210", "2", "12", "3021", "0112013"])
@pytest.mark.parametrize("change", [nothing, optimize])
def test_the_file_is_the_same(
    kinds: str, change: Callable[[ModuleOp], Any], wait: bool, tmp_path: Path
) -> None:
    source = write_net(tmp_path, kinds)
    ready = write_both_ways(tmp_path, source, change, wait)
    if wait:
        assert ready == (tmp_path / "net.bin").stat().st_size


def test_holes_do_not_bring_back_what_was_copied(tmp_path: Path) -> None:
    # A hole, then data; what is written has the data first.
    size = 1 << 16
    (tmp_path / "net.param").write_text(
        "7767517\n3 3\nInput data 0 1 data 0=8\n"
        f"InnerProduct a 1 1 data a 0=128 2={size // 4}\n"
        f"InnerProduct b 1 1 a b 0=128 2={size // 4}\n"
    )
    with (tmp_path / "net.bin").open("wb") as out:
        out.seek(4 + size + 4)
        out.write(b"data" * (size // 4))
    written: list[bytes] = []
    for begin in (False, True):
        module = read_model(str(tmp_path / "net.param"), ReadOptions()).module
        export = export_module(module)
        export.weights.reverse()
        path = str(tmp_path / "out.bin")
        with copying_ahead(module, path, None) if begin else nullcontext() as ahead:
            if ahead is not None:
                ahead._thread.join()  # pyright: ignore[reportPrivateUsage]
            writing = ParamWriting(module, Output(str(tmp_path / "out.param")), path, ahead)
            writing.export = export
            writing.finish()
        written.append((tmp_path / "out.bin").read_bytes())
    assert written[0] == written[1]
    assert written[0].count(b"data") == size // 4


def test_half_a_copy_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead_module, "STEP", 100)
    steps: list[int] = []
    copy = ahead_module.copy_range

    def three_steps(*args: Any) -> None:
        if len(steps) == 3:
            raise OSError("the disk is full")
        copy(*args)
        steps.append(1)

    monkeypatch.setattr(ahead_module, "copy_range", three_steps)
    assert write_both_ways(tmp_path, write_net(tmp_path, "0000"), nothing) == 300


def test_large_new_weights_end_it(tmp_path: Path) -> None:
    module = read_model(write_net(tmp_path, "00"), ReadOptions()).module
    with scratch_file() as scratch:
        scratch.put(memoryview(b"new"))
        with copying_ahead(module, str(tmp_path / "out.bin"), scratch) as ahead:
            assert ahead is not None
            assert ahead.finish() == 0


def test_an_error_leaves_nothing(tmp_path: Path) -> None:
    module = read_model(write_net(tmp_path, "00"), ReadOptions()).module
    (tmp_path / "out.bin").write_bytes(b"old")

    def fail() -> None:
        with copying_ahead(module, str(tmp_path / "out.bin"), None) as ahead:
            assert isinstance(ahead, CopyAhead)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert set(os.listdir(tmp_path)) == {"net.bin", "net.param", "out.bin"}
    assert (tmp_path / "out.bin").read_bytes() == b"old"


def test_only_files_are_begun(tmp_path: Path) -> None:
    module = read_model(write_net(tmp_path, "00"), ReadOptions()).module
    with copying_ahead(module, os.devnull, None) as ahead:
        assert ahead is None
