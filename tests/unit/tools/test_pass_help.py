"""`ncnn-opt --help PASS` and `--list-passes`."""

import inspect
import re
from pathlib import Path

import pytest
from ncnn_opt.driver.help_page import PAGE
from ncnn_opt.driver.pass_help import conditions, describe_pass, example_of
from ncnn_opt.tools.arguments import make_parser
from ncnn_opt.tools.ncnn_opt_main import main
from ncnn_opt.transforms.canonicalization.patterns import (
    FUSIONS,
    NEUTRAL,
    RECOGNITION,
    SIMPLIFICATIONS,
)
from ncnn_opt.transforms.rewriting.passes import PASSES
from xdsl.transforms import get_all_passes as get_passes_of_xdsl

DOCS = Path(__file__).parents[3] / "docs"


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    main(arguments)
    out, err = capsys.readouterr()
    assert err == ""
    return out


@pytest.mark.parametrize("name", PASSES)
def test_each_pass_is_described(name: str) -> None:
    text = describe_pass(name)
    assert text.startswith(f"ncnn-opt --{name}\n")
    for _, doc in conditions(PASSES[name]):
        assert len(doc[0]) > 20
        assert all(f"  {line}".rstrip() in text for line in doc)
    example = example_of(name)
    assert example is None or (example.before in text and example.after in text)


@pytest.mark.parametrize("name", PASSES)
def test_no_page_refers_to_the_conditions_of_another_class(name: str) -> None:
    text = describe_pass(name)
    for other in re.findall(r"conditions\s+of\s+`(\w+)`", text):
        assert f"\n{other}:\n  " in text


def test_a_pass(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "--help", "fuse-conv-bn")
    assert "Fold a BatchNorm into the convolution" in text
    assert "Conditions, and why:" in text
    assert "different feature masks" in text
    assert "\n## When they do not fire\n" in (DOCS / "passes.md").read_text("utf-8")
    assert "$ ncnn-opt --fuse-conv-bn it.mlir" in text
    before, _, after = text.partition("\n-->\n")
    assert "ncnn.batchnorm" in before
    assert "ncnn.batchnorm" not in after
    assert printed(capsys, "-h", "--fuse-conv-bn") == text


def test_options_of_a_pass(capsys: pytest.CaptureFixture[str]) -> None:
    assert "  limit: int = 4096\n" in printed(capsys, "--help", "fold-constants")
    text = printed(capsys, "--help", "cut-model")
    assert "feature masks" not in text  # it has no patterns
    assert "  from: str | None = None\n  to: str | None = None\n" in text


def test_a_pass_of_xdsl(capsys: pytest.CaptureFixture[str]) -> None:
    cls = get_passes_of_xdsl()["licm"]()
    first = inspect.cleandoc(cls.__doc__ or "").splitlines()[0]
    assert len(first) > 10
    assert first in printed(capsys, "--help", "licm")
    assert "(not documented)" in printed(capsys, "--help", "cse")


def test_help_of_the_command_stays(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--help"], ["--help", "-O"], ["m.param", "-h"], ["--help", "m.param"]):
        assert printed(capsys, *arguments) == PAGE + "\n"
    assert printed(capsys, "--help", "--cut-to") == PAGE + "\n"
    with pytest.raises(SystemExit) as end:
        main(["--help-all"])
    assert end.value.code == 0
    assert capsys.readouterr().out == make_parser().format_help()


def test_the_page_is_short_and_names_what_there_is() -> None:
    lines = PAGE.splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 100
    options = make_parser()._option_string_actions  # pyright: ignore[reportPrivateUsage]
    named = set(re.findall(r"(?<![\w-])--?[a-zA-Z][a-z-]*", PAGE)) - {"--P"}
    assert len(named) >= 30
    assert named - {*options, *(f"--{name}" for name in PASSES)} == set()


def test_canonicalize_lists_its_patterns(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "--help", "canonicalize")
    for group in (SIMPLIFICATIONS, RECOGNITION, FUSIONS, NEUTRAL):
        for pattern in group:
            assert f"\n  {type(pattern).__name__}: " in text
    assert "\n  FuseActivation: Fuse an activation" in text
    assert "RECOGNITION" not in printed(capsys, "--help", "cse")
    assert "FuseActivation: " not in printed(capsys, "--help", "fuse-conv-bn")


def test_dialects(capsys: pytest.CaptureFixture[str]) -> None:
    ours, _, others = printed(capsys, "--show-dialects").partition("others:")
    assert "ncnn, fused, pnnx" in ours
    assert " linalg," in others
    assert "ncnn" not in others


def test_a_pass_that_there_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--help", "fuse-conv-bm"])
    assert end.value.code == 1
    message = "ncnn-opt: error: unknown pass 'fuse-conv-bm'; did you mean 'fuse-conv-bn'?\n"
    assert capsys.readouterr().err == message


def test_list_passes(capsys: pytest.CaptureFixture[str]) -> None:
    ours, _, others = printed(capsys, "--list-passes").partition("\nof xDSL")
    for name, row in PASSES.items():
        assert f"\n  {name} " in ours
        assert row.help in ours
    listed = others.partition(":\n")[2].replace("\n", " ").replace(" ", "").split(",")
    assert listed == sorted(get_passes_of_xdsl())
