"""Rewrites without one of their conditions are refuted."""

import json
from functools import cache
from typing import Any

import pytest
from ncnn_opt.proofs import Status, prove

from .conditions import Place, places
from .dropping import TABLE, files, models_of

REFUTED: dict[str, dict[str, Any]] = json.loads(TABLE.read_text("utf-8"))
"""The conditions without which a rewrite is refuted, each with the near miss that refutes it. The
list is found by a search (`dropping.py`), which so far has not run over all conditions."""


@cache
def known_places() -> dict[str, Place]:
    return {place.condition.key: place for path in files() for place in places(path)}


@pytest.mark.parametrize("key", REFUTED)
def test_a_rewrite_without_a_condition_is_refuted(key: str) -> None:
    found = REFUTED[key]
    (model,) = [
        each
        for each in models_of(found["rewrite"])
        if (each.file, each.function) == (found["file"], found["model"])
    ]
    assert key in known_places(), "python -m proofs.dropping --write makes the table anew"
    with known_places()[key].dropped():
        proof = prove(found["rewrite"], model.module, trials=1)
    assert proof.status is Status.REFUTED
    assert prove(found["rewrite"], model.module, trials=1).status is Status.UNCHANGED
