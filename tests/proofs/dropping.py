"""Search, for each condition of our rewrites, a model on which the rewrite without it is refuted.

    python -m proofs.dropping            print the outcomes
    python -m proofs.dropping --write    also write the refuted ones to dropped_conditions.json

Run in `tests/`. It takes about ten minutes.
"""

import json
import sys
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from ncnn_opt.proofs import Status, prove
from ncnn_opt.proofs.proof import as_pass
from ncnn_opt.transforms.rewriting.passes import PASSES
from xdsl.context import Context

from .conditions import FOLDER, Place, places
from .instances import Instance, instances, passes

MOST_PASSES = 6
"""The passes of a condition that are tried."""

TABLE = Path(__file__).with_name("dropped_conditions.json")


@cache
def models_of(rewrite: str) -> list[Instance]:
    """The near misses of a pass."""
    return list(instances(rewrite, kept=True))


def files() -> list[Path]:
    """The files with patterns and their helpers."""
    return sorted(path for path in FOLDER.rglob("*.py") if path.name != "__init__.py")


@cache
def rewrites_of(file: str, function: str) -> list[str]:
    """The passes with a pattern that has a condition: of the class that has it, or else of the
    file, or else of a file that imports it."""
    module = file.removesuffix(".py").replace("/", ".")
    name = function.partition(".")[0]
    own: list[str] = []
    near: list[str] = []
    far: list[str] = []
    for rewrite in passes():
        for pattern in PASSES[rewrite].patterns:
            path, _, cls = pattern.class_path.rpartition(".")
            if pattern.folder != "transforms.canonicalization":
                continue
            if path == module:
                (own if cls == name else near).append(rewrite)
            else:
                source = (FOLDER / f"{path.replace('.', '/')}.py").read_text("utf-8")
                if f"{module.rpartition('.')[2]} import" in source:
                    far.append(rewrite)
    found = (each for each in own or near or far if models_of(each))
    return list(islice(dict.fromkeys(found), MOST_PASSES))


def outcome_of(place: Place) -> dict[str, Any]:
    """What the rewrite without the condition does to the near misses of its passes: it is refuted
    at the first of these, else it raises, or it is proven, or it changes none of them."""
    found = "changes no near miss"
    for rewrite in rewrites_of(place.condition.file, place.condition.function):
        for model in models_of(rewrite):
            with place.dropped():
                try:
                    is_changed = changes(rewrite, model)
                    status = prove(rewrite, model.module, trials=1).status if is_changed else None
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
            if status not in (None, Status.UNCHANGED):
                found = status.value
    return {"outcome": found}


def changes(rewrite: str, model: Instance) -> bool:
    """Whether a pass changes a model."""
    module = model.module.clone()
    before = str(module)
    as_pass(rewrite).apply(Context(), module)
    return str(module) != before


def outcomes() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the outcome of each condition."""
    for path in files():
        for place in places(path):
            yield place.condition.key, outcome_of(place)


def main() -> None:
    table: dict[str, dict[str, Any]] = {}
    for key, outcome in outcomes():
        if outcome["outcome"] == "refuted":
            table[key] = {name: outcome[name] for name in ("rewrite", "file", "model")}
        print(key, *outcome.values(), sep=" | ", flush=True)
    if "--write" in sys.argv:
        TABLE.write_text(f"{json.dumps(table, indent=1, ensure_ascii=False)}\n", "utf-8")


if __name__ == "__main__":
    main()
