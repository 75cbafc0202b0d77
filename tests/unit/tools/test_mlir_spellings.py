"""mlir-opt's options, translated or answered."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.weights import make_weight
from ncnn_opt.driver.errors import UsageError
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.driver.observers.of_request import observers_of_model
from ncnn_opt.driver.pipelines import passes_in, pipeline_text, run_pipeline
from ncnn_opt.driver.requests import Request
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.tools.arguments import make_parser
from ncnn_opt.tools.ncnn_opt_main import main
from ncnn_opt.tools.spellings import OURS, SAME, translated, without_module
from ncnn_opt.transforms.extraction.cut_model import CutModel
from ncnn_opt.transforms.extraction.keep_blob import KeepBlob
from ncnn_opt.transforms.for_release import ForRelease
from ncnn_opt.transforms.infer_shapes import InferShapes
from ncnn_opt.transforms.limit_growth import LimitGrowth
from ncnn_opt.transforms.rewriting.stages import OPTIMIZE
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType, f32
from xdsl.passes import ModulePass

MODEL = Path(__file__).parents[3] / "examples/small_cnn.param"


def test_they_are_options_of_ours() -> None:
    known = make_parser()._option_string_actions  # pyright: ignore[reportPrivateUsage]
    assert {ours for ours in SAME.values() if ours} <= known.keys()
    for answer in OURS.values():
        for option in re.findall(r"(?<![\w-])--[a-z-]+", answer):
            assert option in known or option == "--html", answer


def test_options_are_translated() -> None:
    given = ["m.mlir", "-o", "x", "--mlir-timing", "-mlir-print-op-generic", "--pass-pipeline=a,b"]
    ours = ["m.mlir", "-o", "x", "--time-passes", "--print-op-generic", "--passes=a,b"]
    assert translated(given) == ours
    assert translated(ours) == ours
    assert translated(["--mlir-timing=false", "--mlir-disable-threading", "-O"]) == ["-O"]
    assert translated(["--mlir-timing=true"]) == ["--time-passes"]
    assert translated(["--pass-pipeline", "a"]) == ["--passes", "a"]
    assert translated(["--", "--mlir-timing"]) == ["--", "--mlir-timing"]
    with pytest.raises(UsageError, match="'-debug' is an option of mlir-opt: --remarks prints"):
        translated(["-debug"])


def test_options_of_llvms_opt_are_translated() -> None:
    assert translated(["--print-after-all"]) == ["--print-between-passes"]
    assert translated(["-print-after-all", "--print-after=dce"]) == [
        "--print-between-passes",
        "--print-after=dce",
    ]
    message = "'--print-changed' is an option of opt: --print-after-change prints"
    with pytest.raises(UsageError, match=message):
        translated(["--print-changed"])


def test_the_anchor_of_a_pipeline_has_no_effect() -> None:
    assert without_module('builtin.module(a{x=1 y="b c"}, d)') == 'a{x=1 y="b c"},d'
    assert without_module("a,b{c=d e=f}") == "a,b{c=d e=f}"
    assert without_module("builtin.module()") == ""
    nested = 'builtin.module( func.func(a{x="f(" y=1}, b), c,func.func(func.func(d)) )'
    assert without_module(nested) == 'a{x="f(" y=1},b,c,d'
    assert without_module('a{x="func.func(b)"}') == 'a{x="func.func(b)"}'
    with pytest.raises(UsageError, match=r"leave out gpu.module\(…\)"):
        without_module("gpu.module(a)")
    with pytest.raises(UsageError):
        without_module("func.func(a")


def dumped(err: str) -> list[str]:
    return re.findall(r"IR Dump After (\S+) ", err)


def test_the_ir_after_named_passes(capsys: pytest.CaptureFixture[str]) -> None:
    passes = ["--eliminate-split", "--eliminate-noop", "--canonicalize", str(MODEL), "-q"]
    main([*passes, "--mlir-print-ir-after=eliminate-noop"])
    assert dumped(capsys.readouterr().err) == ["eliminate-noop"]
    main([*passes, "--print-after", "canonicalize,eliminate-split"])
    assert dumped(capsys.readouterr().err) == ["eliminate-split", "canonicalize"]
    main([*passes, "--print-after", "eliminate-noop", "--print-after-change"])
    assert dumped(capsys.readouterr().err) == ["eliminate-split", "eliminate-noop", "canonicalize"]
    with pytest.raises(SystemExit):
        main([*passes, "--print-after", "eliminate-noops"])
    assert "no pass 'eliminate-noops'; did you mean" in capsys.readouterr().err


def test_the_ir_between_passes_in_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    passes = ["--eliminate-split", "--eliminate-noop", "--canonicalize", str(MODEL), "-q"]
    main([*passes, f"--mlir-print-ir-tree-dir={tmp_path / 'all'}"])
    assert dumped(capsys.readouterr().err) == []
    written = sorted(path.name for path in (tmp_path / "all").iterdir())
    assert written[:3] == ["0_eliminate-split.mlir", "1_eliminate-noop.mlir", "2_canonicalize.mlir"]
    assert "ncnn.split" not in (tmp_path / "all" / written[0]).read_text()
    main([*passes, "--print-after", "canonicalize", "--print-to-dir", str(tmp_path / "one")])
    assert [path.name for path in (tmp_path / "one").iterdir()] == ["2_canonicalize.mlir"]
    capsys.readouterr()
    with pytest.raises(SystemExit):
        main([*passes, "--print-to-dir", str(MODEL)])
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_the_ir_of_several_chunks_in_files(tmp_path: Path) -> None:
    chunk = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{\n  %y = ncnn.{} %x : "
    chunk += "(tensor<4xf32>) -> tensor<4xf32>\n  func.return %y : tensor<4xf32>\n}}\n"
    types = ["relu", "absval", "sigmoid"]
    for name, texts, places in (
        ("three", [chunk.format(type_) for type_ in types], ["1", "2", "3"]),
        ("one", [chunk.format("relu")], ["."]),
    ):
        file, steps = tmp_path / f"{name}.mlir", tmp_path / name
        file.write_text("// -----\n".join(texts))
        passes = ["--eliminate-split", "--eliminate-noop", "--split-input-file"]
        main([str(file), *passes, "--print-to-dir", str(steps)])
        for place, type_ in zip(places, types, strict=False):
            found = sorted(path.name for path in (steps / place).iterdir())
            assert found[:2] == ["0_eliminate-split.mlir", "1_eliminate-noop.mlir"]
            assert f"ncnn.{type_}" in (steps / place / found[0]).read_text()


def test_a_trace_of_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, trace = str(tmp_path / "n.param"), tmp_path / "t.json"
    main(["-O", str(MODEL), "-o", out, "--trace", str(trace), "--time-passes"])
    spans = [e for e in json.loads(trace.read_text())["traceEvents"] if e["ph"] == "X"]
    names = [event["name"] for event in spans if event["name"][0] != "("]
    assert [name for name in names if name in OPTIMIZE] == [*OPTIMIZE]
    ends = [event["ts"] + event["dur"] for event in spans]
    assert all(b["ts"] >= a - 0.01 for a, b in zip(ends, spans[1:], strict=False))
    fuse = next(event for event in spans if event["name"] == "canonicalize")
    assert "FuseAffine" in fuse["args"]
    table = capsys.readouterr().err
    shares = [float(s) for s in re.findall(r"^ *[\d.]+ +([\d.]+)%  ", table.split("\n\n")[0], re.M)]
    assert shares[-1] == 100
    assert abs(sum(shares[:-1]) - 100) < 1
    fired = re.search(r"FuseAffine \((\d+) of (\d+)\)", table)
    assert fired is not None
    assert 0 < int(fired[1]) < int(fired[2])


class ChangeWeights(ModulePass):
    """Changes values that the dump does not show."""

    name = "change-weights"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        constant = next(each for each in op.walk() if isinstance(each, ConstantOp))
        values = np.ones((24, 3, 3, 3), np.float32)
        constant.value = make_weight(values, TensorType(f32, values.shape))


def test_a_change_of_weights_is_a_change() -> None:
    module = read_model(str(MODEL), ReadOptions("random")).module
    told: list[str] = []
    request = Request(None, None, (), ReadOptions(), True, print_after_change=True)
    observers = list(observers_of_model(request, told.append))
    run_pipeline(module, ["eliminate-noop", ChangeWeights(), "cse"], observers=observers)
    heads = [text.partition("\n")[0] for text in told]
    assert heads == ["// -----// IR Dump After change-weights //----- //"]


def test_other_files_are_not_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--trace", "--crash-reproducer"):
        for path, message in ((str(MODEL), "would replace"), (str(tmp_path / "no/t"), "no folder")):
            with pytest.raises(SystemExit) as end:
                main(["-O", str(MODEL), "-o", str(tmp_path / "n.param"), option, path])
            assert end.value.code == 1
            assert message in capsys.readouterr().err
    assert not (tmp_path / "n.param").exists()


def test_pipelines_as_text() -> None:
    passes = [
        CutModel('a "b\\', "true"),
        KeepBlob(("7", "x-1", "c.d")),
        ForRelease("20240820"),
        LimitGrowth(2.5),
        InferShapes(("a:?x3",), hints=False),
        ForRelease(),
    ]
    text = pipeline_text(passes)
    assert passes_in(text) == passes
    assert text == (
        r'cut-model{from="a \"b\\" to="true"},keep-blobs{names="7",x-1,"c.d"},'
        'ncnn-for-release{release="20240820"},limit-growth{percent=2.5},'
        'ncnn-infer-shapes{input_shape="a:?x3" hints=false},ncnn-for-release'
    )
