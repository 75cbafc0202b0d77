"""The files of a tokenizer in a bundle."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from ncnn_opt.driver.bundles.tokenizer import write_tokenizer
from ncnn_opt.driver.errors import UsageError

WORDS = {"a": 0, "b": 1, "ab": 2}
SPECIAL = [{"id": 4, "content": "<end>", "special": True}]


class Tokenizer:
    """A fast tokenizer of `transformers`, as far as a bundle needs it."""

    eos_token, bos_token, bos_token_id = "<end>", "<end>", 4

    def __init__(self, starts: bool = False, **model: Any) -> None:
        model = {"type": "BPE", "vocab": WORDS, "merges": [["a", "b"]]} | model
        data = {"model": model, "added_tokens": SPECIAL, "decoder": {"type": "ByteLevel"}}
        self.backend_tokenizer = SimpleNamespace(to_str=lambda: json.dumps(data))
        self.starts = starts

    def __call__(self, text: str) -> SimpleNamespace:
        return SimpleNamespace(input_ids=[4, 0] if self.starts else [0])


@pytest.mark.parametrize("merges", [[["a", "b"]], ["a b"]])
def test_byte_pairs(merges: list[object], tmp_path: Path) -> None:
    described = write_tokenizer(Tokenizer(merges=merges), tmp_path)
    assert described == {
        "type": "bbpe",
        "vocab_file": "vocab.txt",
        "merges_file": "merges.txt",
        "additional_special_tokens": ["<end>"],
        "eos": "<end>",
        "bos": "",
    }
    lines = (tmp_path / "vocab.txt").read_text().splitlines()
    assert lines == ["a", "b", "ab", "<no token 3>", "<end>"]
    assert (tmp_path / "merges.txt").read_text() == "a b\n"
    assert json.loads((tmp_path / "tokenizer.json").read_text())["model"]["type"] == "BPE"


def test_a_first_token(tmp_path: Path) -> None:
    described = write_tokenizer(Tokenizer(starts=True), tmp_path)
    assert described is not None
    assert described["bos"] == "<end>"


@pytest.mark.parametrize(
    "model",
    [
        {"type": "Unigram"},
        {"vocab": {"a\n": 0}},
        {"vocab": {"": 0}},
        {"merges": [["a ", "b"], ["a", "b c"]]},
    ],
)
def test_encodings_without_lines(model: dict[str, Any], tmp_path: Path) -> None:
    assert write_tokenizer(Tokenizer(**model), tmp_path) is None
    assert [path.name for path in tmp_path.iterdir()] == ["tokenizer.json"]


def test_other_objects(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no fast tokenizer"):
        write_tokenizer(object(), tmp_path)
