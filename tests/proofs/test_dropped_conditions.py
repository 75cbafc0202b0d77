"""Rewrites without one of their conditions are refuted, and no condition is without a test."""

import json
from functools import cache
from typing import Any

import pytest
from ncnn_opt.proofs import Status, prove

from .conditions import Place, places
from .dropping import TABLE, files, models_of

OUTCOMES: dict[str, dict[str, Any]] = json.loads(TABLE.read_text("utf-8"))
"""The outcome of each condition (see `dropping.py`)."""

REFUTED = [key for key, outcome in OUTCOMES.items() if outcome["outcome"] == "refuted"]


@cache
def known_places() -> dict[str, Place]:
    return {place.condition.key: place for path in files() for place in places(path)}


def test_the_table_has_each_condition() -> None:
    """`python -m proofs.dropping --write` makes it anew."""
    assert {*OUTCOMES} == {*known_places()}


def test_many_conditions_are_needed() -> None:
    assert len(REFUTED) >= 60


@pytest.mark.parametrize("key", REFUTED)
def test_a_rewrite_without_a_condition_is_refuted(key: str) -> None:
    outcome = OUTCOMES[key]
    (model,) = [
        each
        for each in models_of(outcome["rewrite"])
        if (each.file, each.function) == (outcome["file"], outcome["model"])
    ]
    with known_places()[key].dropped():
        proof = prove(outcome["rewrite"], model.module, trials=1)
    assert proof.status is Status.REFUTED
