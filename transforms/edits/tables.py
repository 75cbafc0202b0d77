"""Constant blobs that depend only on the number of steps: masks, tables of rotations, positions.

An export for 16 steps contains a causal mask of 16 x 16, and tables of the cosines and sines of 16
positions. The model is right for another number of steps if the application feeds these blobs.
"""

from collections.abc import Mapping
from itertools import chain, count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument

from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.function import add_input
from ...dialects.ncnn.lookup import layers_of
from ..dynamic_shapes.sinusoids import Sinusoids
from .naming import blob_names

Array = NDArray[Any]

HIDING = -1e4
"""The largest number of a mask that hides a key: exp of a logit with it is 0 in float32."""

LEAST = 4
"""The least number of steps: with fewer, other constants may look like a table."""


class Table(NamedTuple):
    """The kind of a table, and what to feed."""

    kind: str
    meaning: str


def table_of(values: Array) -> Table | None:
    """Return what a constant is, if it is a table of steps."""
    shape = tuple(extent for extent in values.shape if extent != 1)
    if values.dtype != np.float32 or not shape or shape[0] < LEAST:
        return None
    if len(shape) == 1:
        if np.array_equal(values.reshape(shape), np.arange(shape[0], dtype=np.float32)):
            return Table("positions", "the positions 0, 1, 2, … of the steps")
        return None
    if len(shape) != 2:
        return None
    rows = values.reshape(shape)
    return _mask(rows) or _rotations(rows)


def _mask(rows: Array) -> Table | None:
    """Return the description of a causal mask."""
    if rows.shape[0] != rows.shape[1]:
        return None
    hidden = np.triu(np.ones(rows.shape, bool), 1)
    above = rows[hidden]
    if rows[~hidden].any() or not above[0] <= HIDING or (above != above[0]).any():
        return None
    return Table("mask", f"a causal mask, steps x steps: {above[0]:g} above the diagonal, else 0")


def _rotations(rows: Array) -> Table | None:
    """Return the description of cosines or sines of positions."""
    fit = Sinusoids.fit([np.ascontiguousarray(rows.T)])
    if fit is None or len(fit.runs) != 1:
        return None
    ((function, frequencies),) = fit.runs
    if not frequencies.any():  # zeros or ones
        return None
    half = len(frequencies) // 2
    twice = len(frequencies) == 2 * half and np.array_equal(frequencies[:half], frequencies[half:])
    some = frequencies[:half] if twice else frequencies
    short = [f"{f:.6g}" for f in some]
    listed = ", ".join(short if len(short) <= 4 else [*short[:3], "…", short[-1]])
    return Table(
        function,
        f"{function} of position times {len(some)} frequencies{', twice' * twice}: {listed}",
    )


def feed_tables(func: FuncOp) -> Mapping[str, str]:
    """Replace the tables of a model by inputs. Return what to feed into each by name."""
    found: dict[str, str] = {}
    given: dict[tuple[object, bytes], BlockArgument] = {}
    used = {*blob_names(func)}
    for op in [each for each in layers_of(func) if isinstance(each, ConstantOp)]:
        if not op.is_layer() or not op.has_values():
            continue
        values: Array = op.read()
        table = table_of(values)
        if table is None:
            continue
        key = values.shape, values.tobytes()
        if key not in given:
            names = chain([table.kind], (f"{table.kind}{i}" for i in count(1)))
            name = next(name for name in names if name not in used)
            used.add(name)
            given[key] = add_input(func, op.output.type, name)
            given[key].name_hint = name
            found[name] = table.meaning
        hint = given[key].name_hint
        op.output.replace_all_uses_with(given[key])
        given[key].name_hint = hint
        op.detach()
        op.erase()
    return found
