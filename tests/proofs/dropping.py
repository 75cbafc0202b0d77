"""Search, for each condition of our rewrites, a model on which the rewrite without it is refuted.

    python -m proofs.dropping            print the outcomes
    python -m proofs.dropping --write    also write them to dropped_conditions.json

Run in `tests/`.
"""

import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from ncnn_opt.proofs import Status, prove
from ncnn_opt.transforms.rewriting.passes import PASSES

from .conditions import FOLDER, Place, places
from .instances import Instance, instances, passes

TABLE = Path(__file__).with_name("dropped_conditions.json")


@cache
def models_of(rewrite: str) -> list[Instance]:
    """The models of a pass: near misses first."""
    return [*instances(rewrite, kept=True), *instances(rewrite)]


def files() -> list[Path]:
    """The files with patterns and their helpers."""
    return sorted(path for path in FOLDER.rglob("*.py") if path.name != "__init__.py")


@cache
def rewrites_of(path: Path) -> list[str]:
    """The passes whose patterns are in a file, or in one that imports it."""
    name = ".".join(path.relative_to(FOLDER).with_suffix("").parts)
    found: list[str] = []
    for rewrite in passes():
        for pattern in PASSES[rewrite].patterns:
            module = pattern.class_path.rpartition(".")[0]
            source = FOLDER / f"{module.replace('.', '/')}.py"
            is_here = pattern.folder == "transforms.canonicalization" and module == name
            if is_here or (source.exists() and f"{path.stem} import" in source.read_text("utf-8")):
                found.append(rewrite)
                break
    return found


def outcome_of(place: Place) -> dict[str, Any]:
    """What the rewrite without the condition does on the models of its passes: it is refuted by the
    first of these, else it raises, or it is proven, or it is never different."""
    found = "no model has it"
    for rewrite in rewrites_of(FOLDER / place.condition.file):
        for model in models_of(rewrite):
            with place.dropped():
                try:
                    status = prove(rewrite, model.module, trials=1).status
                except Exception:
                    found = "raises"
                    continue
            if status is Status.REFUTED:
                return {
                    "outcome": "refuted",
                    "rewrite": rewrite,
                    "file": model.file,
                    "model": model.function,
                }
            if status is not Status.UNCHANGED and model.file.endswith("-kept"):
                found = status.value
    return {"outcome": found}


def outcomes(part: int = 0, of: int = 1) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the outcome of each condition."""
    for i, path in enumerate(files()):
        if i % of == part:
            for place in places(path):
                yield place.condition.key, outcome_of(place)


def main() -> None:
    table: dict[str, dict[str, Any]] = {}
    for key, outcome in outcomes():
        table[key] = outcome
        print(key, *outcome.values(), sep=" | ", flush=True)
    if "--write" in sys.argv:
        TABLE.write_text(f"{json.dumps(table, indent=1, ensure_ascii=False)}\n", "utf-8")


if __name__ == "__main__":
    main()
