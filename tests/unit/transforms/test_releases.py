"""The oldest release that runs a layer, and the releases that users name."""

from pathlib import Path

import pytest
from ncnn_opt.analysis.required_release import (
    oldest_release,
    release_for,
    release_of_param,
    requirement_of,
)
from ncnn_opt.analysis.target_info.releases import check_release, features_of, releases
from ncnn_opt.transforms.for_release import ForRelease
from xdsl.context import Context
from xdsl.dialects.builtin import IntAttr, ModuleOp, StringAttr
from xdsl.utils.exceptions import PassFailedException

from ncnn_opt.api import NcnnOptError, load, optimize

ROWS = "Input x 0 1 x 0=4 1=3"
IMAGE = "Input x 0 1 x 0=4 1=3 2=2"
BODY = "Input x 0 1 x 0=5 1=4 2=3 11=2"


def model(path: Path, *lines: str) -> Path:
    """A `.param` of these layers."""
    blobs = sum(int(line.split()[3]) for line in lines)
    path.write_text("\n".join(["7767517", f"{len(lines)} {blobs}", *lines]) + "\n")
    return path


@pytest.mark.parametrize(
    ("lines", "release", "feature"),
    [
        ([IMAGE, "ReLU y 1 1 x y"], "20240102", None),
        ([ROWS, "RMSNorm y 1 1 x y 0=4 2=0"], "20240820", "layer type RMSNorm"),
        ([IMAGE, "Flip y 1 1 x y -23300=1,0"], "20250916", "layer type Flip"),
        ([IMAGE, "Reshape y 1 1 x y 0=8 1=3"], "20240102", None),
        ([IMAGE, 'Reshape y 1 1 x y 6="0w,6"'], "20250428", "parameter 6"),
        ([IMAGE, "Reshape y 1 1 x y 0=4 1=3 12=0"], "20261020", "parameter 12"),
        ([IMAGE, 'Crop y 1 1 x y 19="0,0" 20="2,2" 21="1"'], "20250428", "parameter 19"),
        (
            [IMAGE, 'Crop y 1 1 x y 19="0" 20="2,2" 21="1,2"'],
            "20260113",
            "a short string without a comma before another parameter",
        ),
        (
            [IMAGE, 'Crop y 1 1 x y 19="0,0" 20="2,2" 21="-2" 31=1'],
            "20260113",
            "a short string without a comma before another parameter",
        ),
        ([IMAGE, 'Reshape y 1 1 x y 6="-1"'], "20250428", "parameter 6"),
        ([IMAGE, 'Interp y 1 1 x y 0=1 9="8,8"'], "20250428", "parameter 9"),
        ([IMAGE, "Interp y 1 1 x y 0=1 3=8 4=8"], "20240102", None),
        ([ROWS, "UnaryOp y 1 1 x y 0=19"], "20240102", None),
        ([ROWS, "UnaryOp y 1 1 x y 0=20"], "20260526", "parameter 0=20"),
        ([ROWS, "BinaryOp y 1 1 x y 0=11 1=1 2=2.0"], "20240102", None),
        ([ROWS, "BinaryOp y 1 1 x y 0=12 1=1 2=2.0"], "20260526", "parameter 0=12"),
        ([IMAGE, "HardSwish y 1 1 x y"], "20240102", None),
        ([BODY, "HardSwish y 1 1 x y"], "20260526", "a blob of 4 dims"),
        ([BODY, "Softmax y 1 1 x y 0=1 1=1"], "20250428", "a blob of 4 dims"),
        ([BODY, "Sigmoid y 1 1 x y"], "20240102", None),
        (
            [ROWS, "MultiHeadAttention y 1 1 x y 0=4 1=2 2=16"],
            "20240102",
            None,
        ),
        (
            [ROWS, "MultiHeadAttention y 1 1 x y 0=4 1=2 2=16 6=0.25"],
            "20240820",
            "parameter 6",
        ),
        (
            [ROWS, "MultiHeadAttention y 1 1 x y 0=8 1=2 2=32 3=4 4=4"],
            "20240820",
            "a query whose width differs from the width of all heads together",
        ),
    ],
)
def test_requirements(lines: list[str], release: str, feature: str | None, tmp_path: Path) -> None:
    loaded = load(model(tmp_path / "m.param", *lines), "random")
    found = requirement_of(loaded.module)
    assert loaded.ncnn_release == oldest_release(loaded.module) == release
    assert (None if found is None else found.feature) == feature
    if found is not None:
        assert found.layer == f"{lines[1].split()[0]} 'y'"


ROTATED = "Input x 0 1 x 0=8 1=5 2=4"


@pytest.mark.parametrize(
    ("tables", "interleaved", "release"),
    [
        (["Input c 0 1 c 0=4 1=5", "Input s 0 1 s 0=4 1=5"], 0, "20260113"),
        (["Input c 0 1 c 0=8 1=5", "Input s 0 1 s 0=8 1=5"], 0, "20261020"),
        (["Input c 0 1 c 0=8 1=5", "Input s 0 1 s 0=8 1=5"], 1, "20260113"),
        (["Input c 0 1 c", "Input s 0 1 s"], 0, "20260113"),  # the width is not known
        (
            [
                "Input f 0 1 f 0=4 1=5",
                "Split d 1 2 f a b",
                "Concat e 2 1 a b e 0=1",
                "Split g 1 2 e h i",
                "UnaryOp c 1 1 h c 0=10",
                "UnaryOp s 1 1 i s 0=9",
            ],
            0,
            "20260113",
        ),
    ],
)
def test_tables_of_rotations(
    tables: list[str], interleaved: int, release: str, tmp_path: Path
) -> None:
    """RotaryEmbed reads the second halves of its tables since 20261020."""
    lines = [ROTATED, *tables, f"RotaryEmbed y 3 1 x c s y 0={interleaved}"]
    loaded = load(model(tmp_path / "m.param", *lines), "none")
    assert loaded.ncnn_release == release
    found = requirement_of(loaded.module)
    assert found is not None
    halves = "tables whose halves may differ"
    assert found.feature == (halves if release > "20260113" else "layer type RotaryEmbed")


def test_the_newest_requirement_counts(tmp_path: Path) -> None:
    lines = [ROWS, "RMSNorm n 1 1 x n 0=4 2=0", "UnaryOp u 1 1 n u 0=20", "UnaryOp y 1 1 u y 0=21"]
    found = requirement_of(load(model(tmp_path / "m.param", *lines), "none").module)
    assert found is not None
    assert (found.release, found.layer) == ("20260526", "UnaryOp 'u'")


def test_named_releases() -> None:
    assert check_release("latest") == releases()[-1]
    assert check_release("1.0.20240820") == "20240820"
    assert check_release("20260114") == check_release("20260113") == "20260113"
    assert list(releases()) == sorted(releases())
    for wrong in ("", "2024", "20231027", "1.1.20240820", "newest"):
        with pytest.raises(ValueError, match="unknown ncnn release .*20240102, .* and latest"):
            check_release(wrong)
        with pytest.raises(ValueError, match="unknown ncnn release"):
            ForRelease(wrong)


def test_features() -> None:
    assert ("20240820", ("layer", "RMSNorm")) in features_of("RMSNorm")
    assert features_of("ReLU") == ()


def test_integers() -> None:
    from ncnn_opt.dialects.ncnn.attention import SDPAOp
    from ncnn_opt.dialects.ncnn.matmul import GemmOp
    from ncnn_opt.dialects.ncnn.recurrent import LSTMOp

    assert release_of_param(LSTMOp, LSTMOp.INT8_BY) == "20240820"
    assert release_of_param(GemmOp, GemmOp.INT8_BY) == "20241226"
    assert release_of_param(SDPAOp, SDPAOp.INT8_BY) == "20260113"
    assert release_of_param(GemmOp, "alpha") == "20240102"


def test_the_release_of_a_module(tmp_path: Path) -> None:
    module = load(model(tmp_path / "m.param", ROWS, "RMSNorm y 1 1 x y 0=4 2=0"), "none").module
    inner = next(iter(module.walk(reverse=True)))
    assert release_for(inner) is None

    def after(release: str) -> str | None:
        ForRelease(release).apply(Context(), module)
        return release_for(inner)

    assert after("own") == "20240820"
    assert after("20250916") == "20250916"
    assert after("own") == "20250916"
    assert after("latest") == releases()[-1]
    assert after("any") is None
    assert after("any") is None


@pytest.mark.parametrize("value", [StringAttr("2024"), IntAttr(20240820)])
def test_what_a_module_cannot_say(value: StringAttr | IntAttr) -> None:
    module = ModuleOp([])
    module.attributes["ncnn.release"] = value
    with pytest.raises(
        PassFailedException, match="ncnn.release of a module must be one of 20240102"
    ):
        release_for(module)


def test_in_python(tmp_path: Path) -> None:
    """By default the result runs where the model does; a release may be named."""
    lines = [
        ROWS,
        "Split s 1 2 x a b",
        "UnaryOp q 1 1 a q 0=4",
        "Reduction v 1 1 q v 0=3 1=0 -23303=1,-1 4=1 5=1",
        "BinaryOp e 1 1 v e 1=1 2=1e-6",
        "UnaryOp r 1 1 e r 0=6",
        "BinaryOp y 2 1 b r y 0=2",
    ]
    path = model(tmp_path / "m.param", *lines)
    for release, types in (
        (None, ["UnaryOp", "Reduction", "BinaryOp", "UnaryOp", "BinaryOp"]),
        ("20240410", ["UnaryOp", "Reduction", "BinaryOp", "UnaryOp", "BinaryOp"]),
        ("20240820", ["RMSNorm"]),
        ("latest", ["RMSNorm"]),
    ):
        loaded = load(path, "none")
        optimize(loaded, for_ncnn=release)
        assert [x.type for x in loaded.layers if x.type not in ("Input", "Split")] == types
    with pytest.raises(NcnnOptError, match="RMSNorm 'y' requires ncnn 20240820"):
        optimize(loaded, for_ncnn="20240102")
    assert loaded.ncnn_release == "20240820"
    with pytest.raises(NcnnOptError, match="unknown ncnn release '1'; known are"):
        optimize(loaded, for_ncnn="1")
