"""Rewrites without one of their conditions are refuted."""

import ast
import json
import os
import re
from collections.abc import Collection, Iterator, Mapping
from random import Random
from typing import Any

import pytest
from ncnn_opt.proofs import Status

from .conditions import operands
from .dropping import TABLE, known_conditions, model_named, models_of, proof_of, rewritten
from .harmless import EXPLAINED, explanation_of, reason_of
from .kinds import counts, is_open, rows
from .near_misses import STORE, texts
from .probing import Probe, probing
from .table import PAGE

FOUND: dict[str, dict[str, Any]] = json.loads(TABLE.read_text("utf-8"))
"""The conditions, as a search found them (`dropping.py`)."""

REFUTED: dict[str, dict[str, str]] = FOUND["refuted"]
"""The conditions without which a rewrite is refuted, each with the model that refutes it."""

OTHERS: dict[str, str] = FOUND["others"]
"""The other conditions, each with the outcome."""

COVERED: dict[str, dict[str, Any]] = FOUND["covered"]
"""The conditions that others cover: a rewrite without all of them is refuted, on a model, but not
without all but one."""

COUNT = int(8 * float(os.environ.get("NCNN_OPT_EXAMPLES", "1")))


def drawn(keys: Collection[str]) -> list[str]:
    """Return some of the conditions; with NCNN_OPT_EXAMPLES=100 all."""
    return Random(0).sample(sorted(keys), min(COUNT, len(keys)))


NUMBERS = {condition.key: i for i, condition in enumerate(known_conditions())}


@pytest.fixture(scope="module")
def probe() -> Iterator[Probe]:
    with probing(known_conditions()) as probe:
        yield probe


def proven(found: Mapping[str, Any]) -> Status:
    """The status of the proof of a rewrite on the model of a line of the table."""
    model = model_named(found["rewrite"], found["file"], found["model"])
    return proof_of(found["rewrite"], model.module).status


def test_the_table_is_of_the_source() -> None:
    """`python -m proofs.dropping --new --write` makes the table anew."""
    keys = [*REFUTED, *COVERED, *OTHERS]
    assert len(keys) == len(set(keys))
    assert set(keys) == NUMBERS.keys()
    assert {other for each in COVERED.values() for other in each["by"]} <= NUMBERS.keys()


def test_the_document_has_the_numbers_by_kind() -> None:
    """`python -m proofs.dropping --new --write` writes them."""
    assert rows(counts(known_conditions(), FOUND)) in PAGE.read_text("utf-8")


def test_conditions_that_are_not_needed_have_a_reason() -> None:
    assert not [key for key, outcome in OTHERS.items() if not reason_of(key, outcome)]
    assert not reason_of("affine.py FuseAffine: linear is None", "proven")


def test_explanations_are_of_conditions_without_a_near_miss() -> None:
    explained = [key for key, word in OTHERS.items() if word in ("never", "same")]
    for pattern in EXPLAINED:
        assert any(re.search(pattern, key) for key in explained), pattern
    assert not [key for key in (*REFUTED, *COVERED) if explanation_of(key)]


def test_each_condition_of_the_kinds_has_a_near_miss_or_a_reason() -> None:
    assert not [each.key for each in known_conditions() if is_open(each, FOUND)]


def test_guards_of_missing_values_are_of_values() -> None:
    """What is explained as a guard of a missing value is a test whether there is one."""
    for key in OTHERS:
        if explanation_of(key).startswith("it guards a value that is missing"):
            assert re.search(r"is (not )?None|:= shape_of\(", key), key


def test_a_block_that_discards_a_layer_ends_a_rewrite() -> None:
    """Its tests are operands that are dropped as false, each by itself."""
    text = "def f():\n  if a or b:\n    new.drop_all_references()\n    return\n  if c:\n    g()\n"
    found = [(ast.unparse(node), result) for _, node, result in operands(ast.parse(text))]
    assert found == [("a", False), ("b", False), ("c", True)]


@pytest.mark.parametrize("key", drawn(REFUTED))
def test_a_rewrite_without_a_condition_is_refuted(key: str, probe: Probe) -> None:
    assert proven(REFUTED[key]) is not Status.REFUTED
    with probe.without(NUMBERS[key]):
        assert proven(REFUTED[key]) is Status.REFUTED
    assert proven(REFUTED[key]) is not Status.REFUTED


@pytest.mark.parametrize("key", drawn(COVERED))
def test_a_rewrite_without_several_conditions_is_refuted(key: str, probe: Probe) -> None:
    numbers = [NUMBERS[each] for each in (key, *COVERED[key]["by"])]
    for number in numbers:
        with probe.without(*(each for each in numbers if each != number)):
            assert proven(COVERED[key]) is not Status.REFUTED
    with probe.without(*numbers):
        assert proven(COVERED[key]) is Status.REFUTED


def test_conditions_that_decide_something(probe: Probe) -> None:
    """A second use of the value between blocks the first model, and not the second one."""
    models = {each.function: each for each in models_of("fuse-conv-bn")}
    key = "affine.py FuseAffine.match_and_rewrite: (why := fusion_obstacle(x, op)) is not None"
    for function, is_blocked in (("second_consumer", True), ("depthwise", False)):
        probe.deciding.clear()
        rewritten("fuse-conv-bn", models[function])
        assert (NUMBERS[key] in probe.deciding) is is_blocked


def test_each_near_miss_is_of_a_condition() -> None:
    found = {(e["rewrite"], e["model"]) for e in (*REFUTED.values(), *COVERED.values())}
    for path in STORE.glob("*.mlir"):
        for text in texts(path.stem):
            assert (path.stem, re.findall(r"func\.func @(\w+)", text)[0]) in found
