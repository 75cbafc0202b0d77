"""Calls of a decoder in the runtime: the whole sequence at once, or a part of it in each call."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from ncnn_opt.runtime.host import Array
from ncnn_opt.runtime.process import Decoded, Runtime

HIDDEN = -1e9


def causal(past: int, steps: int) -> Array:
    """The mask of so many steps after past ones."""
    return np.triu(np.full((steps, past + steps), HIDDEN, "f4"), past + 1)


def parts(steps: Sequence[int], rows: Mapping[str, Array], mask: str) -> list[dict[str, Array]]:
    """The inputs of calls with so many steps each: their rows, and a mask."""
    calls: list[dict[str, Array]] = []
    past = 0
    for count in steps:
        call = {name: values[past : past + count] for name, values in rows.items()}
        calls.append(call | {mask: causal(past, count)})
        past += count
    return calls


def decoded(
    runtime: Runtime,
    param: Path,
    calls: Sequence[Mapping[str, Array]],
    caches: Mapping[str, str],
    output: str,
) -> Array:
    """The rows of an output of all calls."""
    found = runtime.decode(param, calls, caches, [output])
    assert isinstance(found, Decoded), found.reason
    return np.concatenate([blobs[output] for blobs in found.blobs])
