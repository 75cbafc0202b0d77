"""Random values for the inputs of a model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, SSAValue

from ..dialects.ncnn.assembly import names_of
from ..dialects.ncnn.attention import Attention
from ..dialects.ncnn.blob import shape_of, static_shape_of
from ..dialects.ncnn.function import input_name
from ..dialects.ncnn.lookup import model_of
from ..dialects.ncnn.structure import InputOp
from ..dialects.ncnn.weight_specs import Shape
from ..interpreters.errors import RunError
from ..interpreters.inputs import lookups, readings
from .input_shapes import advice
from .wide_values import float_sample

REACH = 256
"""The largest magnitude of an input, about that of a pixel."""


def inputs_of(module: ModuleOp) -> dict[str, SSAValue]:
    """Return the inputs by blob name: the function's arguments, and the results of Input layers in
    the middle of the file. Raise `PassFailedException` if the module is not a model."""
    func = model_of(module)
    inputs: dict[str, SSAValue] = {
        input_name(func, i): arg for i, arg in enumerate(func.body.block.args)
    }
    for op in func.body.block.ops:
        if isinstance(op, InputOp):
            inputs |= {n: v for n, v in zip(names_of(op), op.results, strict=True) if n}
    return inputs


def random_input(
    name: str,
    value: SSAValue,
    rng: np.random.Generator,
    shape: Shape | None = None,
    thresholds: Sequence[float] = (),
) -> NDArray[Any]:
    """Return random values for an input, by default in its own shape.

    The values are float32, uniform in [-1, 1); with thresholds, they are also from a wider range
    and at thresholds (see `wide_values.py`). Indices that an Embed reads are int32, smaller than
    its number of rows. Past keys and values of unknown shape are empty. Raise `RunError` if the
    shape of another input is unknown.
    """
    shape = shape or static_shape_of(value)
    if shape is None and (cache := cache_of(value)) is not None:
        shape = cache.heads, cache.steps, cache.features
    if shape is None:
        raise RunError(advice_for_unknown(name, value))
    if rows := [embed.input_dim for embed in lookups(value)]:
        return rng.integers(0, max(min(rows), 1), shape, np.int32)
    if thresholds:
        return float_sample(shape, rng, thresholds, REACH)
    return rng.uniform(-1, 1, shape).astype(np.float32)


def advice_for_unknown(name: str, value: SSAValue) -> str:
    """Return the message about an input of unknown shape, with the remedy."""
    message = f"the shape of input '{name}' is not known ({value.type})"
    func = value.block.parent_op() if isinstance(value, BlockArgument) else None
    if not isinstance(value, BlockArgument) or not isinstance(func, FuncOp):
        return message
    return f"{message}; {advice(func, value.index)}"


@dataclass(frozen=True)
class CacheShape:
    """The shape of an input that holds past keys or values."""

    heads: int
    steps: int
    """The number of past steps; 0 if it is unknown, as in the first run."""
    features: int
    new_steps: int
    """The largest number of steps that one run appends."""


def cache_of(value: SSAValue) -> CacheShape | None:
    """Return the cache that an input holds. Return `None` if no attention layer reads it as past
    keys or values, or if the extents of the appended keys or values are unknown."""
    for use in readings(value):
        op = use.operation
        if not isinstance(op, Attention):
            continue
        past, read = list(op.past(op.inputs)), op.operands[use.index]
        if read not in past:
            continue
        every = shape_of(op.outputs[1 + past.index(read)])
        added = [static_shape_of(v) for v in op.sequences(op.inputs)[:2]]
        if every is None or len(every) != 3 or DYNAMIC_INDEX in (every[0], every[2]):
            return None
        if any(shape is None or len(shape) < 2 for shape in added):
            return None
        before = static_shape_of(value)
        steps = 0 if before is None else before[1]
        return CacheShape(every[0], steps, every[2], max(shape[-2] for shape in added if shape))
    return None
