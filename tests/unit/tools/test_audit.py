"""`ncnn-opt --audit` on the command line, and its message for each kind of rule."""

import re
import struct
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from ncnn_opt.analysis.audit.contracts import CONTRACTS, bind
from ncnn_opt.analysis.audit.layers import RULES
from ncnn_opt.dialects.ncnn import FAMILIES
from ncnn_opt.driver.file_audit import audit_file
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.tools import ncnn_opt_main

MODEL = "7767517\n3 3\nInput x 0 1 x 0=4\nInnerProduct fc 1 1 x fc 0=2 2=8\nReLU r 1 1 fc y\n"
OPEN = MODEL.replace(" 0=4", "")
WEIGHTS = bytes(4) + struct.pack("<8f", *range(8))
EXTENT_IDS = {1: (0,), 2: (1, 0), 3: (2, 1, 0), 4: (2, 11, 1, 0)}

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.chdir(tmp_path)
    for name, text in (("m", MODEL), ("open", OPEN)):
        (tmp_path / f"{name}.param").write_text(text)
        (tmp_path / f"{name}.bin").write_bytes(WEIGHTS)

    def call(line: str) -> tuple[int, str, str]:
        status = 0
        try:
            ncnn_opt_main.main(line.split())
        except SystemExit as end:
            status = int(end.code or 0)
        told = capsys.readouterr()
        return status, told.out, told.err

    return call


UNKNOWN = "a run is not audited: the shape of input 'x' is not known (--input-shape)"
PASSES = "PASSED: m.param: loading and a run with x=4\n"


@pytest.mark.parametrize(
    ("line", "status", "output"),
    [
        ("m.param --audit", 0, PASSES),
        ("m.param --audit=run", 0, PASSES),
        ("open.param --audit", 0, f"PASSED: open.param: loading passes the audit; {UNKNOWN}\n"),
        ("open.param --audit=run", 1, f"FAILED: open.param: loading passes the audit; {UNKNOWN}\n"),
        ("open.param --audit=run --input-shape x=4", 0, PASSES.replace("m.", "open.")),
        ("m.param --audit --audit-limit 32", 0, PASSES),
        (
            "m.param --audit --audit-limit 31",
            1,
            "m.param: 1 violated bound\n"
            "  InnerProduct 'fc': weight 'weight': 32 bytes; the limit is 31\n"
            "FAILED: 1 violated bound\n",
        ),
        (
            "m.param --audit --audit-limit 15",
            1,
            "m.param: 4 violated bounds\n"
            "  Input 'x': shape: a blob of 4 has 16 bytes; the limit is 15\n"
            "  InnerProduct 'fc': weight 'weight': 32 bytes; the limit is 15\n"
            "  InnerProduct 'fc': output 'fc': a blob of 2 has 16 bytes; the limit is 15\n"
            "  ReLU 'r': output 'y': a blob of 2 has 16 bytes; the limit is 15\n"
            "FAILED: 4 violated bounds\n",
        ),
        (
            "m.param --audit --input-shape x=5",
            1,
            None,
        ),
    ],
)
def test_report(line: str, status: int, output: str | None, run: Run, tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    found = run(line)
    assert found[0] == status
    assert output is None or found[1] == output
    assert sorted(tmp_path.iterdir()) == before


def test_a_binary_file(run: Run, tmp_path: Path) -> None:
    assert run("-q m.param -o b.param.bin") == (0, "", "")
    assert (tmp_path / "b.bin").exists()
    status, output, _ = run("b.param.bin --audit")
    assert status == 0
    assert output.startswith("PASSED: b.param.bin: loading and a run with ")
    status, output, _ = run("b.param.bin --audit --audit-limit 15")
    assert status == 1
    assert output.endswith("FAILED: 4 violated bounds\n")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--audit", "--audit takes one INPUT and no passes"),
        ("m.param --audit --fuse-conv-bn", "--audit takes one INPUT and no passes"),
        ("m.param --audit -o n.param", "--audit writes nothing and takes no --output-file"),
        ("m.param --audit --check", "--audit writes nothing and takes no --check"),
        ("m.param --audit-limit 4G", "--audit-limit is for --audit"),
        (
            "m.param --audit --audit-limit 4T",
            "argument --audit-limit: a number of bytes, as 512M or 4G, not '4T'",
        ),
        ("m.mlir --audit", "'m.mlir' is no .param and no .param.bin: --audit is for these"),
        ("m.param --audit --fuse-conv-bm", "unknown pass or option '--fuse-conv-bm'; did you"),
        ("m.param --audit --input-shape y=4", "m.param: there is no input 'y'; the inputs are 'x'"),
    ],
)
def test_wrong_usage(line: str, message: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "m.mlir").write_text("")
    status, output, told = run(line)
    assert (status, output) == (1, "")
    assert told.startswith(f"ncnn-opt: error: {message}")


def problems(tmp_path: Path, layer: str, *shapes: str, weights: str = "random") -> str:
    """Return the findings about a layer with inputs of these shapes."""
    names = [f"x{i}" for i in range(len(shapes))]
    lines: list[str] = []
    for name, shape in zip(names, shapes, strict=True):
        extents = shape.split("x")
        given = zip(EXTENT_IDS[len(extents)], extents, strict=True)
        lines.append(f"Input {name} 0 1 {name} " + " ".join(f"{i}={n}" for i, n in given))
    type_, _, params = layer.partition(" ")
    lines.append(f"{type_} l {len(names)} 1 {' '.join(names)} y {params}")
    path = tmp_path / "m.param"
    path.write_text("\n".join(["7767517", f"{len(lines)} {len(lines)}", *lines, ""]))
    audit = audit_file(str(path), ReadOptions(weights), 1 << 20)
    assert not audit.gaps
    return "\n".join(map(str, audit.findings))


# A layer, shapes that violate its rule with a word of the message, and shapes that do not.
CASES: Sequence[tuple[str, Sequence[str], str, Sequence[str]]] = (
    ("DetectionOutput 0=5", ("40", "49", "2x40"), "49 scores are too few", ("40", "50", "2x40")),
    ("DetectionOutput 0=5", ("39", "50", "2x40"), "39 offsets are too few", ("40", "50", "2x40")),
    ("DetectionOutput 0=5", ("40", "50", "1x40"), "the row of variances", ("40", "50", "2x40")),
    ("DetectionOutput 0=0", ("40", "50", "2x40"), "num_class: 0", ()),
    ("DetectionOutput 0=5 2=-1", ("40", "50", "2x40"), "nms_top_k: -1 is negative", ()),
    ("DetectionOutput 0=-233", ("40", "2x9", "10x4"), "18 scores", ("40", "2x10", "10x4")),
    ("Proposal", ("18x3x4", "36x3x4", "2"), "lacks height", ()),
    ("Proposal", ("18x3x4", "36x3x4", "3"), "leaves its memory if a score is NaN", ()),
    ("Proposal", ("18x3x4", "36x3x5", "3"), "takes 18,h,w", ()),
    ("ROIPooling 0=2 1=2 2=1.0", ("3x4x4", "3"), "3 has fewer", ("3x4x4", "4")),
    ("PSROIPooling 0=2 1=2 2=1.0 3=3", ("11x4x4", "4"), "12 channels", ("12x4x4", "4")),
    ("ROIAlign 0=2 1=2 2=1.0", ("3x4x4", "4"), "sampling_ratio: 0", ()),
    ("ROIAlign 0=2 1=2 2=1.0 3=65", ("3x4x4", "4"), "more than 64", ()),
    ("SDPA", ("4x3x8", "3x5x8", "3x5x8"), "3 groups", ("4x3x8", "2x5x8", "2x5x8")),
    ("SDPA", ("4x3x8", "2x5x7", "2x5x8"), "takes h,s,e", ("4x3x8", "2x5x8", "2x5x6")),
    (
        "SDPA 5=1",
        ("2x3x8", "2x5x8", "2x5x8", "3x4"),
        "attn_mask: a mask of 3,4",
        ("2x3x8", "2x5x8", "2x5x8", "3x5"),
    ),
    ("RotaryEmbed", ("2x3x8", "3x3", "3x3"), "3 angles", ("2x3x8", "3x4", "3x4")),
    (
        "DeformableConv2D 0=4 1=3 4=1 6=108",
        ("3x5x6", "17x5x6"),
        "17,5,6 is not 18,5,6",
        ("3x5x6", "18x5x6", "9x5x6"),
    ),
    ("GridSample", ("3x4x4", "5x6x3"), "not 2 coordinates", ("3x4x4", "5x6x2")),
    ("GridSample", ("3x4x4", "1x6x2"), "a grid of 1 channels", ("3x4x4", "2x6x2")),
    ("Spectrogram 0=8 2=2", ("4",), "too few to reflect 4", ("5",)),
    ("Spectrogram 0=8 2=2", ("1x9",), "takes n", ("9",)),
    ("InverseSpectrogram 0=8 2=2", ("6x4x2",), "8 does not fit", ("5x4x2",)),
    ("CopyTo 0=2", ("3x5", "2x4"), "leaves a blob of 3,5", ("3x5", "2x3")),
    ("CopyTo 0=-1", ("3x5", "2x3"), "leaves", ()),
    ("CopyTo -23309=1,1", ("3x5", "2x3"), "1 starts for 2 axes", ("3",)),
    ("CopyTo -23309=1,2 -23311=1,-1", ("3x5", "2x4"), "leaves", ("3x5", "2x3")),
    ("CopyTo -23309=1,0 -23311=1,2", ("3x5", "2x3"), "axes: (2,)", ()),
    ("Fold 1=2 20=3", ("8x3",), "is not 4 rows each by 4 windows", ("8x4",)),
    ("Fold 1=5 20=3", ("25x1",), "windows", ()),
    ("LSTM 0=3 1=24", ("4x2", "1x3", "1x4"), "1,4 is not 1,3", ("4x2", "1x3", "1x3")),
    ("GRU 0=3 1=36 2=2", ("4x2", "1x3"), "1,3 is not 2,3", ("4x2", "2x3")),
    ("Eltwise 0=1 -23301=1,1.0", ("3x4", "3x4"), "1 coefficients for 2", ()),
    ("Quantize 0=3", ("4x5",), "3 values for 4 channels", ("3x5",)),
    ("Dequantize 0=4", ("4",), "4 values for 1 channels", ("4x5",)),
    ("Padding 2=4 4=2", ("3x4",), "too few to reflect 4", ("3x5",)),
    ("Padding 2=-1", ("3x4",), "left: -1 is negative", ()),
    ("Padding 2=1 6=3", ("4x2x2",), "3 values for 4 channels", ("3x2x2",)),
    ("PixelShuffle 0=2", ("6x2x2",), "4 does not divide", ("8x2x2",)),
    ("ShuffleChannel 0=3", ("8x2x2",), "do not divide 8", ("9x2x2",)),
    ("Scale 0=-233", ("4x5", "3"), "3 scales for 4", ("4x5", "4")),
    ("Normalize 3=3", ("4x2x2",), "3 values for 4", ("3x2x2",)),
    ("Normalize 1=1 3=1", (), "", ("4x2x2",)),
    ("Packing 0=4", ("8x2x2",), "packs of 4", ()),
    ("Packing 0=1", (), "", ("8x2x2",)),
    ("Embed 0=4 3=40", ("6",), "input_dim: 0 is not positive", ()),
    (
        "Convolution 0=4 1=3 6=72 19=1",
        ("3x5x5", "4x2x3x3"),
        "a weight of 4,2,3,3 for 3 channels",
        ("2x5x5", "4x2x3x3"),
    ),
    (
        "Convolution 0=4 1=3 5=1 6=72 19=1",
        ("2x5x5", "4x2x3x3", "3"),
        "a bias of 3 for 4",
        ("2x5x5", "4x2x3x3", "4"),
    ),
    ("MatMul", ("3x4", "5x6"), "as many rows", ("3x4", "4x6")),
    ("Concat", ("3x4", "3x5"), "extents are equal", ("3x4", "5x4")),
    ("YoloDetectionOutput 0=1 1=1 -23304=2,1.0,1.0", ("5x2x2",), "fewer than 6", ("6x2x2",)),
    ("Pooling 1=3 3=-1", ("2x5x5",), "pad", ()),
    ("Convolution 0=1 1=1 3=999 4=999 6=2", ("2x1x1",), "the padded blob has", ("2x1",)[:0]),
    ("Sigmoid", ("512x513",), "a blob of 512,513 has 1,050,624 bytes", ("512x512",)),
)


@pytest.mark.parametrize("case", CASES, ids=[f"{c[0]} {'-'.join(c[1])}" for c in CASES])
def test_rule(case: tuple[str, Sequence[str], str, Sequence[str]], tmp_path: Path) -> None:
    layer, wrong, word, right = case
    if wrong:
        assert word in problems(tmp_path, layer, *wrong)
    if right and layer.split()[0] != "CopyTo" or len(right) > 1:
        assert problems(tmp_path, layer, *right) == ""


def test_int8_blobs_are_read_as_int8(tmp_path: Path) -> None:
    path = tmp_path / "m.param"
    head = "7767517\n3 3\nInput x 0 1 x 0=4 1=3\nQuantize q 1 1 x q\n"
    for layer, right in (("Sigmoid s 1 1 q y", False), ("Split s 1 1 q y", True)):
        path.write_text(f"{head}{layer}\n")
        found = audit_file(str(path), ReadOptions("random")).findings
        assert [each.problem for each in found] == (
            [] if right else ["its elements have 1 bytes; the layer reads 4"]
        )


def test_a_region_comes_from_the_caller(tmp_path: Path) -> None:
    path = tmp_path / "m.param"
    align = "ROIAlign a 2 1 x q y 0=2 1=2 2=1.0 3=2"
    for layer, right in (("Split s 1 1 r q", True), ("Sigmoid s 1 1 r q", False)):
        head = "7767517\n4 4\nInput x 0 1 x 0=4 1=4 2=3\nInput r 0 1 r 0=4\n"
        path.write_text(f"{head}{layer}\n{align}\n")
        found = audit_file(str(path), ReadOptions("none")).findings
        words = ["the model computes the region, and a large or infinite one crashes"]
        assert [each.problem for each in found] == ([] if right else words)


def test_what_follows_a_detection_is_not_bounded(tmp_path: Path) -> None:
    path = tmp_path / "m.param"
    head = "7767517\n5 5\nInput a 0 1 a 0=40\nInput b 0 1 b 0=50\nInput c 0 1 c 0=40 1=2\n"
    for layer, count in (("ReLU r 1 1 d y", 0), ("Tile t 1 1 d y 1=2", 1)):
        path.write_text(f"{head}DetectionOutput d 3 1 a b c d 0=5\n{layer}\n")
        found = audit_file(str(path), ReadOptions("none")).findings
        assert len(found) == count
        assert all("depend on values" in each.problem for each in found)


def test_extents_in_reverse_order_are_turned(tmp_path: Path) -> None:
    layer = "Convolution c 1 1 x y 0=2 1=1 6=6"
    for extents, shape in (("0=3 1=9 2=9", (3, 9, 9)), ("0=9 1=9 2=4", None)):
        path = tmp_path / "m.param"
        path.write_text(f"7767517\n2 2\nInput x 0 1 x {extents}\n{layer}\n")
        audit = audit_file(str(path), ReadOptions("random"))
        assert bool(audit.findings) is (shape is None)
        assert shape is None or audit.shapes == {"x": shape}


def test_contracts() -> None:
    assert bind(("h,s", "s,e|e"), ((2, 3), (3, 4))) == {"h": 2, "s": 3, "e": 4}
    assert bind(("h,s", "s,e|e"), ((2, 3), (5,))) == {"h": 2, "s": 3, "e": 5}
    assert bind(("h,s", "s,e|e"), ((2, 3), (2, 4))) is None
    assert bind(("3,w",), ((4, 4),)) is None
    assert {*CONTRACTS, *RULES} <= {*FAMILIES}


def test_the_page_shows_the_report(run: Run) -> None:
    page = (Path(__file__).parents[3] / "docs/security.md").read_text()
    assert run("m.param --audit")[1].strip().replace("x=4", "data=3,32,32") in page
    assert re.sub("'x'", "'data'", UNKNOWN) in page
