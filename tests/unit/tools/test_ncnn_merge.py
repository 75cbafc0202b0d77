"""`ncnn-merge`, with the arguments of ncnn's ncnnmerge."""

from pathlib import Path

import pytest
from ncnn_opt.tools import ncnn_merge_main

MODEL = """7767517
3 3
Input in0 0 1 in0 0=4
InnerProduct fc 1 1 in0 1 0=2 1=0 2=8
ReLU act 1 1 1 out0
"""


def write(folder: Path, name: str, seed: int) -> list[str]:
    """Write a model, and return its files."""
    param, weights = folder / f"{name}.param", folder / f"{name}.bin"
    param.write_text(MODEL)
    weights.write_bytes(bytes(4) + bytes([seed] * 32))
    return [str(param), str(weights)]


def test_models_side_by_side(tmp_path: Path) -> None:
    a, b = write(tmp_path, "a", 1), write(tmp_path, "b.opt", 2)
    out = [str(tmp_path / "ab.param"), str(tmp_path / "ab.bin")]
    ncnn_merge_main.main([*a, *b, *out])
    lines = [line.split() for line in Path(out[0]).read_text().splitlines()]
    assert lines[1] == ["6", "6"]
    assert [
        (words[0], words[1], words[-1] if words[0] == "ReLU" else "") for words in lines[2:]
    ] == [
        ("Input", "a/in0", ""),
        ("Input", "b/in0", ""),
        ("InnerProduct", "a/fc", ""),
        ("ReLU", "a/act", "a/out0"),
        ("InnerProduct", "b/fc", ""),
        ("ReLU", "b/act", "b/out0"),
    ]
    weights = [Path(each).read_bytes() for each in (a[1], b[1], out[1])]
    assert weights[2] == weights[0] + weights[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.param", "a.bin", "ab.param", "ab.bin"], "pairs of PARAM and BIN are needed"),
        (["a.param", "a.bin", "b.param", "b.bin", "ab.param"], "pairs of PARAM and BIN are needed"),
        (
            ["a.param", "a.bin", "gone.param", "gone.bin", "ab.param", "ab.bin"],
            "gone.param: No such file or directory",
        ),
        (
            ["a.param", "a.bin", "a.opt.param", "a.opt.bin", "ab.param", "ab.bin"],
            "'a.param': another model has the prefix 'a/', so names would clash; rename one of "
            "the files",
        ),
        (
            ["a.param", "a.bin", "b.param", "b.bin", "b.param", "b.bin"],
            "'b.param' is an input: the result would replace it",
        ),
    ],
)
def test_mistakes(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, seed in (("a", 1), ("b", 2), ("a.opt", 3)):
        write(tmp_path, name, seed)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(SystemExit) as end:
        ncnn_merge_main.main(arguments)
    assert end.value.code not in (0, None)
    assert message in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
