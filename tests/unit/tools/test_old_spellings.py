"""Former spellings of options: they work, with a note."""

from pathlib import Path

import pytest
from ncnn_opt.tools import ncnn_compile_main, ncnn_opt_main, ncnn_report_main
from ncnn_opt.tools.arguments import make_parser
from ncnn_opt.tools.model_options import options_of
from ncnn_opt.tools.quantize.command_parsers import PARSERS
from ncnn_opt.tools.spellings import in_new_spelling

MODEL = "7767517\n1 1\nInput data 0 1 data 0=2 1=2 2=3\n"


def test_words_are_replaced_with_one_note_each(capsys: pytest.CaptureFixture[str]) -> None:
    words = "m.param --on a --on=b --tune x --like l.param -- --on".split()
    new = "m.param --on-device a --on-device=b --tune x --other-export l.param -- --on".split()
    assert in_new_spelling("ncnn-opt", words) == new
    assert capsys.readouterr().err == (
        "ncnn-opt: note: --on is now --on-device; the old spelling works until the next release\n"
        "ncnn-opt: note: --like is now --other-export; the old spelling works until the next "
        "release\n"
    )
    assert in_new_spelling("ncnn-opt", new) == new
    assert in_new_spelling("ncnn-reduce", words) == words
    assert capsys.readouterr().err == ""


def test_quiet_replaces_silently(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["-q", "--tune", "--max-error", "0.1"]
    assert in_new_spelling("ncnn-quantize", words) == ["-q", "--keep-slower", "--max-nsr", "0.1"]
    assert capsys.readouterr().err == ""


def test_proofs_of_patterns_have_their_own() -> None:
    words = ["--prove-pdl=p.pdl", "--on", "m.param"]
    assert in_new_spelling("ncnn-opt", words)[1] == "--layers-of"


def test_each_command_translates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.param").write_text(MODEL)
    ncnn_report_main.main(["m.param", "--weights", "none", "--json"])
    out, err = capsys.readouterr()
    assert out.startswith("{")
    assert "--json is now --print-json" in err
    ncnn_compile_main.main(["--print-pipeline", "--target", "vulkan"])
    assert "--target is now --target-device" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        ncnn_opt_main.main(["m.param", "--like", "m.param"])
    assert "error: --other-export is for --dynamic" in capsys.readouterr().err


def test_files_of_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "o.toml"
    file.write_text('["*"]\nmax-error = 0.01\nlike = "x.param"\n')
    quantize = PARSERS["quantize"]()
    assert options_of(str(file), quantize, "m.param") == ("--max-nsr=0.01",)
    assert "--max-error is now --max-nsr" in capsys.readouterr().err
    words = options_of(str(file), make_parser(), "m.param", given=["--fp16-safe"])
    assert words == ("--max-error=0.01", "--other-export=x.param")
    assert "max-error" not in capsys.readouterr().err


def test_a_former_pass_is_its_present_one(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--outline-host-tail=drop=true", "m.mlir"]
    assert in_new_spelling("ncnn-opt", words) == ["--partition-host-ops=drop=true", "m.mlir"]
    assert "--outline-host-tail is now --partition-host-ops" in capsys.readouterr().err
    assert in_new_spelling("ncnn-compile", words) == words
