"""The files of a tokenizer in a bundle.

`tokenizer.json` is the format of the package `tokenizers`. `ncnn_llm` reads byte-pair encodings as
a list of tokens and a list of merges, a line each; `model.json` has their names.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from ..errors import UsageError

TOKENIZER = "tokenizer.json"
VOCABULARY, MERGES = "vocab.txt", "merges.txt"


def write_tokenizer(tokenizer: Any, folder: Path) -> dict[str, Any] | None:
    """Write a tokenizer of `transformers`. Return its description for `model.json`, or `None` if
    it is no byte-pair encoding that a line for each token can contain. Raises `UsageError`."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        raise UsageError(
            "tokenizer is no fast tokenizer of transformers: it has no backend_tokenizer"
        )
    text: str = backend.to_str()
    (folder / TOKENIZER).write_text(text, encoding="utf-8")
    data: Any = json.loads(text)
    if data["model"].get("type") != "BPE":
        return None
    tokens: dict[str, int] = {**data["model"]["vocab"]}
    added = {each["content"]: each["id"] for each in data.get("added_tokens", ())}
    words = _lines({**tokens, **added})
    merges = [_pair(each) for each in data["model"]["merges"]]
    if words is None or any(len(line.split()) != 2 for line in merges):
        return None
    (folder / VOCABULARY).write_text("\n".join([*words, ""]), encoding="utf-8")
    (folder / MERGES).write_text("\n".join([*merges, ""]), encoding="utf-8")
    special = [each["content"] for each in data.get("added_tokens", ()) if each.get("special")]
    return {
        "type": "bbpe" if '"ByteLevel"' in text else "bpe",
        "vocab_file": VOCABULARY,
        "merges_file": MERGES,
        "additional_special_tokens": special,
        "eos": getattr(tokenizer, "eos_token", None) or "",
        "bos": (getattr(tokenizer, "bos_token", None) or "") if _starts(tokenizer) else "",
    }


def _lines(tokens: Mapping[str, int]) -> list[str] | None:
    """Return a line for each id. An id without a token gets a text that none has: a reader counts
    lines. `None` if a token is no line."""
    if any(not token or set(token) & set("\n\r") for token in tokens):
        return None
    by_id = {number: token for token, number in tokens.items()}
    return [by_id.get(i, f"<no token {i}>") for i in range(max(by_id, default=-1) + 1)]


def _pair(merge: object) -> str:
    """Return a merge as a line; older files have lines, newer ones pairs."""
    return merge if isinstance(merge, str) else " ".join(cast("list[str]", merge))


def _starts(tokenizer: Any) -> bool:
    """Whether the tokenizer puts a first token in front of each text."""
    first = getattr(tokenizer, "bos_token_id", None)
    return first is not None and [*tokenizer("a").input_ids][:1] == [first]
