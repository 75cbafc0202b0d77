"""The names of caches that `add-kv-cache` gives."""

from pathlib import Path

import pytest
from ncnn_opt.tools.ncnn_opt_main import main
from ncnn_opt.transforms.caches.cache_names import DEFAULT, parse_cache_names

PARAM = """7767517
3 3
Input x 0 1 x
Input m 0 1 m
MultiHeadAttention a 2 1 x m y 0=4 1=2 2=16 5=1
"""


def test_numbers() -> None:
    assert parse_cache_names(DEFAULT).of(3) == (
        "cache_k3",
        "cache_v3",
        "out_cache_k3",
        "out_cache_v3",
    )


@pytest.mark.parametrize("text", ["a#,b#,c#", "a#,b#,c#,c#", "a,b#,c#,d#", "a##,b#,c#,d#"])
def test_mistakes(text: str) -> None:
    with pytest.raises(ValueError, match="names are four different ones"):
        parse_cache_names(text)


def run(folder: Path, *words: str) -> None:
    (folder / "m.param").write_text(PARAM)
    path = str(folder / "m.param")
    main(["-q", "--weights", "none", *words, path, "-o", str(folder / "out.param")])


def test_the_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(tmp_path, "--add-kv-cache", "--cache-names", "pk#,pv#,k#,v#")
    assert "a 4 3 x m pk0 pv0 y k0 v0" in " ".join((tmp_path / "out.param").read_text().split())
    with pytest.raises(SystemExit):
        run(tmp_path, "-O", "--cache-names", "pk#,pv#,k#,v#")
    assert "--cache-names is for --add-kv-cache" in capsys.readouterr().err


def test_a_taken_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "m.param").write_text(PARAM.replace(" x", " cache_k0"))
    words = ["-q", "--weights", "none", "--add-kv-cache", str(tmp_path / "m.param")]
    with pytest.raises(SystemExit):
        main([*words, "-o", str(tmp_path / "out.param")])
    expected = "the model has a blob 'cache_k0'; --cache-names gives caches other names"
    assert expected in capsys.readouterr().err
