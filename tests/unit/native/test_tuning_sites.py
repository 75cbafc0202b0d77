"""Convolutions with what stands beside them."""

from pathlib import Path

from ncnn_opt.conversion.to_linalg.processors import PROCESSORS
from ncnn_opt.native.lowering import Fused, fuse, lower_fused
from ncnn_opt.native.options import CompileOptions
from ncnn_opt.native.tuning_sites import key_of, set_form, tuning_sites

import ncnn_opt

AVX512 = PROCESSORS["avx512"]

BLOCK = (
    "Convolution {n}a 1 1 {x} {n}p 0=32 1=1 6=1024 9=1",
    "Convolution {n}b 1 1 {n}p {n}q 0=32 1=3 4=1 6=9216 9=1",
)


def model(folder: Path, *lines: str, inputs: str = "0=16 1=16 2=32") -> Fused:
    rows = [f"Input in 0 1 data {inputs}", *lines]
    (folder / "net.param").write_text("\n".join(["7767517", f"{len(rows)} {len(rows)}", *rows, ""]))
    module = ncnn_opt.load(folder / "net.param", weights="random").module
    return fuse(module, CompileOptions())


def blocks(*names: str) -> list[str]:
    found: list[str] = []
    x = "data"
    for name in names:
        found += [line.format(n=name, x=x) for line in BLOCK]
        x = f"{name}q"
    return found


def test_those_of_the_same_neighbours_are_one(tmp_path: Path) -> None:
    sites = tuning_sites(model(tmp_path, *blocks(*"kmnop")), AVX512)
    # The first and the last block stand beside something else.
    found = [(site.description, len(site.places)) for site in sites]
    assert found == [
        ("32x18x18 -> 32x16x16, 3x3", 4),
        ("32x18x18 -> 32x16x16, 3x3", 1),
        ("32x16x16 -> 32x16x16, 1x1", 4),
        ("32x16x16 -> 32x16x16, 1x1", 1),
    ]
    assert [site.products for site in sites] == [n * 32 * 32 * 256 for n in (9 * 4, 9, 4, 1)]
    assert sites[0].forms[0] in ("winograd4", "direct")
    assert set(sites[2].forms) == {"conv1x1_nhwc", "conv1x1_gemm"}


def test_a_part_is_a_model_of_the_convolution_between_others(tmp_path: Path) -> None:
    sites = tuning_sites(model(tmp_path, *blocks(*"klm")), AVX512)
    middle = next(
        site for site in sites if site.description.endswith("3x3") and len(site.places) == 2
    )
    operations = list(middle.model.func.body.block.ops)
    convolutions = [op for op in operations if op.name == "fused.conv"]
    assert len(convolutions) == 3
    assert operations[middle.own] is convolutions[1]
    lowered = lower_fused(middle.model.clone(), CompileOptions())
    assert [port.shape for port in (*lowered.inputs, *lowered.results)] == [(32, 16, 16)] * 2


def test_names_and_weights_are_nothing_to_tell_by(tmp_path: Path) -> None:
    one, other = model(tmp_path, *blocks(*"kl")), model(tmp_path, *blocks(*"xy"))
    sites = tuning_sites(one, AVX512)
    assert [site.key for site in sites] == [site.key for site in tuning_sites(other, AVX512)]
    assert key_of(one, sites) == key_of(other, tuning_sites(other, AVX512))
    set_form(one, sites[0].places, "columns")  # what was chosen before is nothing, either
    assert key_of(one, sites) == key_of(other, sites)


def test_shapes_and_attributes_tell_convolutions_apart(tmp_path: Path) -> None:
    layer = "Convolution c 1 1 data out 0=32 1=3 6=9216 {}"
    keys = {
        tuning_sites(model(tmp_path, layer.format(more), inputs=inputs), AVX512)[0].key
        for more, inputs in [
            ("", "0=16 1=16 2=32"),
            ("", "0=17 1=16 2=32"),
            ("4=1", "0=16 1=16 2=32"),
            ("2=2", "0=16 1=16 2=32"),
            ("9=1", "0=16 1=16 2=32"),
        ]
    }
    assert len(keys) == 5


def test_a_named_form_is_that_of_the_code(tmp_path: Path) -> None:
    fused = model(tmp_path, *blocks("k"))
    (first, *_) = tuning_sites(fused, AVX512)
    set_form(fused, first.places, "direct")
    lowered = lower_fused(fused, CompileOptions())
    assert any(op.name == "linalg.conv_2d_nhwc_hwcf" for op in lowered.module.walk())


def test_what_has_one_form_is_not_tried(tmp_path: Path) -> None:
    line = "Convolution c 1 1 data out 0=8 1=16 6=65536"
    assert tuning_sites(model(tmp_path, line), AVX512) == []


def test_a_layer_that_no_code_computes_is_no_convolution(tmp_path: Path) -> None:
    lines = (
        "Convolution c 1 1 data x 0=32 1=3 4=1 6=9216",
        "MyLayer my 1 1 x y",
        "Convolution d 1 1 y out 0=16 1=1 6=512",
    )
    assert [site.description for site in tuning_sites(model(tmp_path, *lines), AVX512)] == [
        "32x18x18 -> 32x16x16, 3x3"
    ]
