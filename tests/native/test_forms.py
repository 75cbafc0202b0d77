"""Convolutions and pools in the forms that native code takes them in, against the reference."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.conversion.to_linalg.forms import FORM_ATTRIBUTE
from ncnn_opt.native import iree_compile
from ncnn_opt.native.options import CompileOptions
from ncnn_opt.native.program import Program, compile_module
from xdsl.dialects.builtin import StringAttr

import ncnn_opt

pytest.importorskip("iree.compiler", reason="needs the extra native")
pytest.importorskip("iree.runtime", reason="needs the extra native")


def convolution(c: int, o: int, k: int, more: str, group: int = 1) -> str:
    """A layer of a net, without its blobs; `more` are further parameters."""
    kind = "ConvolutionDepthWise" if group > 1 else "Convolution"
    count = o * (c // group) * k * k
    groups = f" 7={group}" if group > 1 else ""
    return f"{kind} {{}} 1 1 {{}} {{}} 0={o} 1={k} 5=1 6={count}{groups} {more}"


CHAINS: Mapping[str, tuple[tuple[int, int, int], *tuple[str, ...]]] = {
    # (by the extents: of Winograd's tiles some reach beyond the border, of rows some are longer)
    "winograd": ((32, 13, 18), convolution(32, 48, 3, "4=1 9=1"), convolution(48, 32, 3, "4=0")),
    "winograd, as it stands between others": (
        (40, 12, 12),
        convolution(40, 40, 1, "9=1"),
        convolution(40, 40, 3, "4=1 18=0.5 9=2 -23310=1,0.1"),
        convolution(40, 24, 1, ""),
    ),
    "direct, rows that 7 divides, and others": (
        (3, 29, 56),
        convolution(3, 24, 7, "3=2 4=3 9=1"),
        convolution(24, 8, 3, "3=2 4=-233"),
        convolution(8, 16, 5, "4=2 2=2"),
    ),
    "columns": ((24, 9, 9), convolution(24, 20, 3, "3=2 4=1"), convolution(20, 8, 3, "2=2 4=1")),
    "depthwise": (
        (20, 15, 17),
        convolution(20, 20, 3, "3=2 4=1 9=1", group=20),
        convolution(20, 20, 5, "4=2", group=20),
        convolution(20, 20, 3, "4=2 2=2", group=20),
        convolution(20, 12, 1, "", group=1),
    ),
    "pointwise, with a stride": ((16, 9, 11), convolution(16, 24, 1, "3=2 9=1")),
    "pools and channels": (
        (12, 14, 15),
        convolution(12, 24, 1, ""),
        "Pooling {} 1 1 {} {} 0=0 1=3 2=2",
        "ShuffleChannel {} 1 1 {} {} 0=3",
        "Pooling {} 1 1 {} {} 0=1 1=2 2=1 3=1",
        "Padding {} 1 1 {} {} 0=1 1=0 2=2 3=1 4=1 5=0.5",
        convolution(24, 8, 3, "4=1"),
        "Pooling {} 1 1 {} {} 0=1 4=1",
    ),
    "rows that are made longer, with a border that is not 0": (
        (2, 9, 13),
        convolution(2, 4, 3, "4=1 18=0.5"),
        convolution(4, 1, 1, "9=1"),
        convolution(1, 4, 3, "4=1 18=0.5"),
    ),
    "groups": ((12, 8, 8), convolution(12, 24, 3, "4=1", group=3)),
}


def written(folder: Path, shape: tuple[int, int, int], layers: Sequence[str]) -> Path:
    """A chain of layers as a model with random weights."""
    c, h, w = shape
    rows = [f"Input in 0 1 b0 0={w} 1={h} 2={c}"]
    rows += [each.format(f"l{i}", f"b{i}", f"b{i + 1}") for i, each in enumerate(layers)]
    text = "\n".join(["7767517", f"{len(rows)} {len(rows)}", *rows]) + "\n"
    (folder / "structure.param").write_text(text)
    path = folder / "net.param"
    ncnn_opt.save(ncnn_opt.load(folder / "structure.param", weights="random:1"), path)
    return path


VERIFIED = CompileOptions(flags=("--verify=true",))
"""With these, IREE verifies its intermediate code after each pass."""

CASES = [*((name, None) for name in CHAINS), ("pointwise, with a stride", "conv1x1_gemm")]


def compiled(model: ncnn_opt.Model, form: str | None) -> Program:
    """The program of a model; `form` is the form of all convolutions."""
    module = model.module.clone()
    for op in module.walk():
        if form is not None and op.name == "ncnn.convolution":
            op.attributes[FORM_ATTRIBUTE] = StringAttr(form)
    return Program(compile_module(module, VERIFIED))


@pytest.mark.drawn(3)
@pytest.mark.parametrize(("name", "form"), CASES)
def test_the_forms_compute_what_the_reference_does(
    name: str, form: str | None, tmp_path: Path
) -> None:
    shape, *layers = CHAINS[name]
    path = written(tmp_path, shape, layers)
    program = compiled(ncnn_opt.load(path), form)
    x = np.random.default_rng(3).standard_normal(shape).astype("f4")
    (expected,) = ncnn_opt.load(path).run({"b0": x}).values()
    (found,) = program({"b0": x}).values()
    assert np.abs(found - expected).max() <= 1e-5 * np.abs(expected).max()


BOTTLENECK = """7767517
9 12
Input in 0 1 data 0=14 1=14 2=1024
Split s 1 2 data x0 x1
Convolution a 1 1 x0 a 0=64 1=1 5=1 6=65536 8=102 9=1
Convolution b 1 1 a b 0=1024 1=1 5=1 6=65536 8=2
Eltwise sum 2 1 x1 b sum 0=1
Split t 1 2 sum t0 t1
Convolution c 1 1 t0 c 0=64 1=1 5=1 6=65536 8=102 9=1
Convolution d 1 1 c d 0=1024 1=1 5=1 6=65536 8=2
Eltwise out 2 1 t1 d out 0=1
"""
"""int8 convolutions around a sum that is read as floats and as int8."""


@pytest.mark.parametrize("form", [None, "conv1x1_gemm"])
def test_int8_sums_are_equal_and_their_matrices_in_tiles(
    form: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without barriers between kernels, IREE refuses to lay out these matrices in tiles."""
    monkeypatch.setattr(iree_compile, "RETRIED", ())
    path = tmp_path / "bottleneck.param"
    path.write_text(BOTTLENECK)
    model = ncnn_opt.load(path, weights="random:1")
    x = np.random.default_rng(3).standard_normal((1024, 14, 14)).astype("f4")
    found = compiled(model, form)({"data": x})
    for name, expected in model.run({"data": x}).items():
        np.testing.assert_array_equal(found[name], expected)


HEADS = """7767517
7 9
Input in 0 1 x 0=256 1=196
BinaryOp add 1 1 x a 0=0 1=1 2=1.0
Reshape heads 1 1 a h 0=64 1=4 2=196
Slice cut 1 3 h q k v -23300=3,16,16,-233 1=2
Permute rows 1 1 q p 0=2
Permute columns 1 1 k t 0=3
MatMul scores 2 1 p t y
"""
"""Heads of attention that are cut out of one product."""


@pytest.mark.parametrize("form", ["gemm", "named"])
def test_products_of_slices(form: str, tmp_path: Path) -> None:
    """As `named` writes them, IREE refuses them for long vectors if it is not told to go on."""
    path = tmp_path / "heads.param"
    path.write_text(HEADS)
    module = ncnn_opt.load(path, weights="random:1").module
    x = np.random.default_rng(3).standard_normal((196, 256)).astype("f4")
    expected = ncnn_opt.load(path, weights="random:1").run({"x": x})["y"]
    found = Program(compile_module(module.clone(), replace(VERIFIED, conv=form)))({"x": x})["y"]
    assert np.abs(found - expected).max() <= 1e-5 * np.abs(expected).max()
