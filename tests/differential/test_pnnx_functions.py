"""Each function of PNNX's expressions, legalized: the runtime computes what PyTorch does, of
negative, zero, large and non-finite values, except where docs/pnnx.md lists the runtime's own
deviations."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.transforms.pnnx_legalization import pnnx_expressions

from .expressions_of_pnnx import expression, run
from .make_torch_values import FILE, NUMBERS, PAIRED
from .pnnx_deviations import DEVIATIONS, deviates
from .runtime import Array, Runtime
from .torch_functions import call

EXPECTED: dict[str, list[float]] = json.loads(FILE.read_text())
DOC = Path(__file__).parents[2] / "docs" / "pnnx.md"

REPEATS = 19
"""Each element so many times: 16 in vector code, and others in what is left over."""


def parts(text: str) -> tuple[str, list[str]]:
    """`pow(@0,2)` as `pow` and its operands."""
    found = re.fullmatch(r"(\w+)\((.*)\)", text)
    assert found is not None
    return found[1], found[2].split(",")


def operands_of(text: str) -> list[Array]:
    """The values of `@0` and `@1` for which the file has results."""
    if "@1" not in text:
        return [np.array(NUMBERS, "f4")]
    return [z.ravel() for z in np.meshgrid(np.array(PAIRED, "f4"), np.array(PAIRED, "f4"))]


def arguments_of(text: str) -> tuple[str, list[Array]]:
    """The function and its operands, numbers as arrays without axes."""
    name, words = parts(text)
    values = operands_of(text)
    return name, [
        values[int(w[1:])] if w.startswith("@") else np.array(float(w), "f4") for w in words
    ]


@pytest.mark.parametrize("optimize", [False, True], ids=["legalized", "optimized"])
@pytest.mark.parametrize("text", EXPECTED)
def test_as_in_torch(text: str, optimize: bool, runtime: Runtime, tmp_path: Path) -> None:
    values, want = operands_of(text), np.array(EXPECTED[text], "f4")
    repeated = [np.repeat(x, REPEATS) for x in values]
    model = expression(text, len(values), repeated[0].size)
    got = run(model, repeated, runtime, tmp_path, optimize).reshape(-1, REPEATS)
    name, arguments = arguments_of(text)
    compared = ~deviates(name, want, *arguments)
    assert compared.any()
    for column in got.T:
        wrong = compared & ~np.isclose(column, want, rtol=1e-4, atol=1e-6, equal_nan=True)
        where = [
            (*(float(x[i]) for x in values), column[i], want[i]) for i in np.flatnonzero(wrong)
        ]
        assert not where, where


def test_the_file_has_all_functions() -> None:
    assert {parts(text)[0] for text in EXPECTED} == pnnx_expressions.BINARY | pnnx_expressions.UNARY


def test_the_file_holds_the_results_of_torch() -> None:
    pytest.importorskip("torch", reason="needs PyTorch (the extra export)")
    different: list[str] = []
    for text, results in EXPECTED.items():
        name, words = parts(text)
        values = operands_of(text)
        arguments = [values[int(w[1:])] if w.startswith("@") else float(w) for w in words]
        found = call(name, *arguments)
        stored = np.array(results, "f4")
        # PyTorch computes exp(x) / 2 with vectors, which overflows for less than sinh(x) alone.
        overflown = (np.minimum(abs(found), abs(stored)) > 1e38) & (
            np.sign(found) == np.sign(stored)
        )
        equal = np.isclose(found, stored, rtol=1e-5, atol=0, equal_nan=True)
        if not (equal | overflown).all():
            different.append(text)
    assert not different


def test_the_document_lists_what_is_not_compared() -> None:
    rows = re.findall(r"^\| (`[^|]*)\|", DOC.read_text(), re.MULTILINE)
    listed = {word for row in rows for word in re.findall(r"`(\w+)`", row)}
    assert DEVIATIONS.keys() <= listed
