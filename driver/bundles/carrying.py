"""Bundles among the models of a batch: parts with shared weights, and the files beside the models.

`model.json` of a bundle names the `.param` and `.bin` of each part. Two parts may name one `.bin`
(an embedding and a head with the same weights): the batch reads it for both, writes two, and one
goes again if they are equal.
"""

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

from ...formats.file_names import weights_beside
from ...targets.atomic_files import write_file
from ..errors import UsageError
from .manifest import FILE, check_name
from .tokenizer import TOKENIZER


class Carried:
    """A bundle of a batch, and the folder of its outputs."""

    def __init__(self, source: Path, target: Path) -> None:
        """Raises `UsageError` for a `model.json` that is none."""
        self.source, self.target = source, target
        path = source / FILE
        try:
            self.data: Any = json.loads(path.read_text(encoding="utf-8"))
            for names, key in _parts(self.data):
                for name in (names[f"{key}_param"], names[f"{key}_bin"]):
                    check_name(name)
        except ValueError as e:
            raise UsageError(f"{path}: {e}") from e

    def weights(self, path: str) -> str | None:
        """Return the `.bin` of a part, if it has another name than its `.param`."""
        for names, key in _parts(self.data):
            param, weights = self.source / names[f"{key}_param"], self.source / names[f"{key}_bin"]
            if Path(path) == param and weights_beside(str(param)) != str(weights):
                return str(weights)
        return None

    def finish(self) -> None:
        """Write the `model.json` of the outputs, and copy the files of a tokenizer."""
        first: dict[str, Path] = {}
        for names, key in _parts(self.data):
            param, shared = names[f"{key}_param"], names[f"{key}_bin"]
            weights = self.target / weights_beside(param)
            other = first.setdefault(shared, weights)
            if other != weights and other.read_bytes() == weights.read_bytes():
                weights.unlink()
                weights = other
            names[f"{key}_bin"] = weights.name
        for name in {TOKENIZER, *_texts(self.data)}:
            path = self.source / name
            if path.is_file() and path.suffix not in (".param", ".bin") and name != FILE:
                shutil.copyfile(path, self.target / name)
        write_file(str(self.target / FILE), json.dumps(self.data, indent=2) + "\n")


def bundles_of(inputs: Sequence[str], folder: str) -> list[Carried]:
    """Return the bundles among the inputs of a batch with outputs below a folder."""
    return [Carried(Path(i), Path(folder)) for i in inputs if (Path(i) / FILE).is_file()]


def _parts(data: Any) -> Iterator[tuple[dict[str, str], str]]:
    """Yield each object of a `model.json` that names a model, with the name of the part."""
    if not isinstance(data, dict):
        return
    values = cast(dict[str, Any], data)
    for name in values:
        key = name.removesuffix("_param")
        both = values[name], values.get(f"{key}_bin")
        if key != name and all(isinstance(each, str) for each in both):
            yield values, key
    for value in values.values():
        yield from _parts(value)


def _texts(data: Any) -> Iterator[str]:
    """Yield all texts in a `model.json` that can be names of files."""
    if isinstance(data, str) and data and "\n" not in data and len(data) < 200:
        yield Path(data).name
    elif isinstance(data, dict | list):
        values = cast("dict[str, Any] | list[Any]", data)
        for each in values.values() if isinstance(values, dict) else values:
            yield from _texts(each)
