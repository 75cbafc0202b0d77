"""Constants that are masks, rotary tables or positions, and others that look like them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.tools.ncnn_opt_main import main
from ncnn_opt.transforms.edits.tables import table_of

import ncnn_opt

Array = Any

STEPS = 12
ANGLES = np.outer(np.arange(STEPS), 100.0 ** -(np.arange(4) / 4)).astype("f4")


def mask(value: float = -1e9, steps: int = STEPS) -> Array:
    return np.triu(np.full((steps, steps), value, "f4"), 1)


def changed(values: Array, at: tuple[int, ...], value: float) -> Array:
    values = values.copy()
    values[at] = value
    return values


TABLES: Mapping[str, tuple[Array, str]] = {
    "mask": (mask(), "mask"),
    "mask of one head": (mask(-np.inf)[None], "mask"),
    "cosines": (np.cos(ANGLES), "cos"),
    "sines": (np.sin(ANGLES)[None], "sin"),
    "each frequency twice": (np.cos(np.concatenate([ANGLES, ANGLES], 1)), "cos"),
    "positions": (np.arange(STEPS, dtype="f4"), "positions"),
    "positions in a column": (np.arange(STEPS, dtype="f4")[:, None], "positions"),
}


@pytest.mark.parametrize("name", TABLES)
def test_tables(name: str) -> None:
    values, kind = TABLES[name]
    found = table_of(values)
    assert found is not None
    assert found.kind == kind


OTHERS: Mapping[str, Array] = {
    "a mask that hides nothing": mask(-1.0),
    "a mask that hides itself": mask() + np.diag(np.full(STEPS, -1e9, "f4")),
    "a mask of two numbers": changed(mask(), (0, 5), -1e8),
    "a mask of the past": mask().T,
    "a mask with a window": mask() + mask().T * (np.tri(STEPS, k=-3) > 0),
    "a mask of few steps": mask(steps=3),
    "a mask of other keys": mask()[:, :-1],
    "zeros": np.zeros((STEPS, STEPS), "f4"),
    "ones": np.ones((STEPS, 4), "f4"),
    "integers": mask().astype("i4"),
    "cosines of other positions": np.cos(ANGLES + np.float32(0.5)),
    "changed cosines": changed(np.cos(ANGLES), (7, 1), 0.25),
    "cosines and sines": np.concatenate([np.cos(ANGLES), np.sin(ANGLES)], 1),
    "learned positions": np.random.default_rng(0).standard_normal((STEPS, 4)).astype("f4"),
    "positions from one": np.arange(1, STEPS + 1, dtype="f4"),
    "few positions": np.arange(3, dtype="f4"),
    "one number": np.zeros(1, "f4"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_constants(name: str) -> None:
    assert table_of(OTHERS[name]) is None


def test_a_model_of_any_length(tmp_path: Path) -> None:
    """The inputs have the values of the tables: then the outputs are the same bits, and for
    another number of steps those of tables for this number."""
    (tmp_path / "m.bin").write_bytes(mask().tobytes() + np.cos(ANGLES).tobytes())
    (tmp_path / "m.param").write_text(
        f"""7767517
6 6
Input x 0 1 x 0={STEPS} 1={STEPS}
Input y 0 1 y 0=4 1={STEPS}
MemoryData m 0 1 m 0={STEPS} 1={STEPS}
MemoryData c 0 1 c 0=4 1={STEPS}
BinaryOp a 2 1 x m a 0=0
BinaryOp b 2 1 y c b 0=2
"""
    )
    named = ("x=h:n,w:n", "y=h:n", "mask=h:n,w:n", "cos=h:n")
    dynamic = [word for each in named for word in ("--dynamic", each)]
    main(["-q", str(tmp_path / "m.param"), "--table-inputs", *dynamic, "-o", f"{tmp_path}/d.param"])
    before, after = (ncnn_opt.load(tmp_path / name) for name in ("m.param", "d.param"))
    rng = np.random.default_rng(1)
    x, y = rng.random((STEPS, STEPS), "f4"), rng.random((STEPS, 4), "f4")
    fed = {"x": x, "y": y, "mask": mask(), "cos": np.cos(ANGLES)}
    expected, found = before.run({"x": x, "y": y}), after.run(fed)
    for name in ("a", "b"):
        assert np.array_equal(expected[name], found[name])
    short = after.run(
        {"x": x[:7, :7], "y": y[:7], "mask": mask(steps=7), "cos": np.cos(ANGLES[:7])}
    )
    assert np.array_equal(short["a"], expected["a"][:7, :7])
    assert np.array_equal(short["b"], expected["b"][:7])
