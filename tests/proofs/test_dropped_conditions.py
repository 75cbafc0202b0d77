"""Rewrites without one of their conditions are refuted."""

import json
import os
from functools import cache
from random import Random
from typing import Any

import pytest
from ncnn_opt.proofs import Status, prove

from .conditions import Place
from .dropping import TABLE, known_places, model_named, models_of, rewritten
from .harmless import reason_of
from .probing import probing

FOUND: dict[str, dict[str, Any]] = json.loads(TABLE.read_text("utf-8"))
"""The conditions, as a search found them (`dropping.py`)."""

REFUTED: dict[str, dict[str, str]] = FOUND["refuted"]
"""The conditions without which a rewrite is refuted, each with the model that refutes it."""

OTHERS: dict[str, str] = FOUND["others"]
"""The other conditions, each with the outcome."""

COUNT = int(10 * float(os.environ.get("NCNN_OPT_EXAMPLES", "1")))

DRAWN = Random(0).sample(sorted(REFUTED), min(COUNT, len(REFUTED)))
"""Some of these; with NCNN_OPT_EXAMPLES=100 all."""


@cache
def place_of(key: str) -> Place:
    (found,) = [place for place in known_places() if place.condition.key == key]
    return found


def test_the_table_is_of_the_source() -> None:
    """`python -m proofs.dropping --write` makes the table anew."""
    keys = {place.condition.key for place in known_places()}
    assert REFUTED.keys() <= keys
    assert keys == REFUTED.keys() | OTHERS.keys()
    assert len(REFUTED) >= 60


def test_conditions_that_are_not_needed_have_a_reason() -> None:
    assert not [key for key, outcome in OTHERS.items() if not reason_of(key, outcome)]
    assert not reason_of("affine.py FuseAffine: linear is None", "proven")


@pytest.mark.parametrize("key", DRAWN)
def test_a_rewrite_without_a_condition_is_refuted(key: str) -> None:
    found = REFUTED[key]
    model = model_named(found["rewrite"], found["file"], found["model"])
    right = str(rewritten(found["rewrite"], model))
    with place_of(key).dropped():
        proof = prove(found["rewrite"], model.module, trials=1)
    assert proof.status is Status.REFUTED
    assert str(rewritten(found["rewrite"], model)) == right


def test_conditions_that_decide_something() -> None:
    """A second use of the value between blocks the first model, and not the second one."""
    models = {each.function: each for each in models_of("fuse-conv-bn")}
    key = "affine.py FuseAffine.match_and_rewrite: (why := fusion_obstacle(x, op)) is not None"
    places = known_places()
    with probing(places) as deciding:
        for function, is_blocked in (("second_consumer", True), ("depthwise", False)):
            deciding.clear()
            rewritten("fuse-conv-bn", models[function])
            keys = {places[i].condition.key for i in deciding}
            assert (key in keys) is is_blocked
