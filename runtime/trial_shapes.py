"""Input shapes for a trial run: the shapes in the file, or shapes that the first layers accept if
the file's shapes are unknown or contradict weights."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.func import FuncOp

from ..analysis.faults import Fault, faults, remedy
from ..analysis.input_shapes import (
    Misfit,
    contradictions,
    fitting_shape,
    likely_shapes,
    misfits,
)
from ..analysis.random_inputs import random_input
from ..analysis.shape_inference import infer, with_shapes
from ..dialects.ncnn.blob import static_shape_of
from ..dialects.ncnn.function import input_name, inputs_of
from ..dialects.ncnn.weight_specs import Shape, pattern_text

GUESS = "a guess; --input-shape says better"


@dataclass(frozen=True)
class Feed:
    """The shape of an input that is not the shape in the file."""

    shape: Shape
    reason: str
    """The reason for not using the file's shape."""


def feeds_of(func: FuncOp) -> dict[int, Feed]:
    """Return shapes, by index, for inputs without a shape, or with a shape that contradicts weights
    (in files that were converted with reversed axes). Omit inputs without a known better
    shape."""
    feeds = {index: Feed(shape, GUESS) for index, shape in likely_shapes(func).items()}
    found = next(contradictions(func), None)
    for arg in func.body.block.args if found is not None else ():
        own = static_shape_of(arg)
        other = None if own is None else fitting_shape(func, arg.index, own)
        if own is not None and other is not None:
            feeds[arg.index] = Feed(other, f"the file says {pattern_text(own)}, but {found}")
            break
    return feeds


def words_for(shapes: Mapping[str, Shape], feeds: Mapping[str, Feed]) -> str:
    """Return the shapes of inputs for a message: `data=3,12,12 (the file says …)`."""
    given = ", ".join(f"{name}={pattern_text(shape)}" for name, shape in shapes.items())
    reasons = "; ".join(dict.fromkeys(feed.reason for feed in feeds.values()))
    return f"{given} ({reasons})" if reasons else given


def faults_in_run(func: FuncOp) -> list[Fault]:
    """Return the faults of a model with the shapes of a trial run."""
    return list(faults(_in_run(func)))


def misfit_in_run(func: FuncOp) -> Misfit | None:
    """Return the first window that does not fit into its blob with the shapes of a trial run."""
    return next(misfits(_in_run(func)), None)


def _in_run(func: FuncOp) -> FuncOp:
    """Return a copy of a model with the shapes of a trial run."""
    return with_shapes(func, {index: feed.shape for index, feed in feeds_of(func).items()})


def refusal(func: FuncOp, shapes: Mapping[int, Shape]) -> str | None:
    """Return the reason, with the remedy, why a model provably does not run with inputs of these
    shapes, by index; `None` if it may run."""
    copy = with_shapes(func, shapes)
    found = next(chain(faults(copy), misfits(copy)), None)
    given = words_for({input_name(func, i): shape for i, shape in shapes.items()}, {})
    return None if found is None else f"with {given}: {found}; {remedy(found)}"


def random_inputs(func: FuncOp, *seed: int) -> tuple[dict[str, NDArray[Any]], str]:
    """Return random values for all inputs of a model, and their shapes as text. Raise `RunError` if
    a shape is unknown."""
    feeds, values = feeds_of(func), dict[str, NDArray[Any]]()
    for arg in func.body.block.args:
        name, feed = input_name(func, arg.index), feeds.get(arg.index)
        rng = np.random.default_rng((*seed, crc32(name.encode())))
        values[name] = random_input(name, arg, rng, None if feed is None else feed.shape)
    shapes = {name: blob.shape for name, blob in values.items()}
    return values, words_for(shapes, by_name(func, feeds))


def take_shapes(func: FuncOp, values: Mapping[str, NDArray[Any]]) -> None:
    """Set the shapes of a model's inputs to the shapes of these values."""
    args = inputs_of(func)
    infer(func, {args[name]: value.shape for name, value in values.items() if name in args})


def by_name(func: FuncOp, feeds: Mapping[int, Feed]) -> dict[str, Feed]:
    """Return the feeds by the names of the inputs."""
    return {input_name(func, index): feed for index, feed in feeds.items()}
