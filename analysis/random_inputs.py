"""Random values for the inputs of a model."""

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
from ..dialects.ncnn.slots import Shape
from ..dialects.ncnn.structure import InputOp
from ..interpreters.errors import RunError
from ..interpreters.inputs import lookups, readings
from .input_shapes import advice


def inputs_of(module: ModuleOp) -> dict[str, SSAValue]:
    """The inputs by blob name: the function's arguments, and what Input layers further down
    give. Raises `PassFailedException` if the module is no model."""
    func = model_of(module)
    inputs: dict[str, SSAValue] = {
        input_name(func, i): arg for i, arg in enumerate(func.body.block.args)
    }
    for op in func.body.block.ops:
        if isinstance(op, InputOp):
            inputs |= {n: v for n, v in zip(names_of(op), op.results, strict=True) if n}
    return inputs


def random_input(
    name: str, value: SSAValue, rng: np.random.Generator, shape: Shape | None = None
) -> NDArray[Any]:
    """Values for an input, in its own shape unless one is given: uniform in [-1, 1) as float32; for
    what an Embed looks up, int32 below the number of its rows; no past keys and values where their
    shape is not known. Raises `RunError` if that of another input is not."""
    shape = shape or static_shape_of(value)
    if shape is None and (cache := cache_of(value)) is not None:
        shape = cache.heads, cache.steps, cache.features
    if shape is None:
        raise RunError(f"the shape of input '{name}' is not known ({value.type}){_advice(value)}")
    if rows := [embed.input_dim for embed in lookups(value)]:
        return rng.integers(0, max(min(rows), 1), shape, np.int32)
    return rng.uniform(-1, 1, shape).astype(np.float32)


def _advice(value: SSAValue) -> str:
    """What to do where the shape of an input is not known."""
    func = value.block.parent_op() if isinstance(value, BlockArgument) else None
    if not isinstance(value, BlockArgument) or not isinstance(func, FuncOp):
        return ""
    return f"; {advice(func, value.index)}"


@dataclass(frozen=True)
class Cache:
    """The past keys or values that an input of a model holds."""

    heads: int
    steps: int
    """Past ones. 0 where they are not known, as in the first run."""
    features: int
    new_steps: int
    """No more than these are added to them."""


def cache_of(value: SSAValue) -> Cache | None:
    """What an input is that attention takes as past keys or values; `None` if none does, or the
    extents of what it adds to them are not known."""
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
        return Cache(every[0], steps, every[2], max(shape[-2] for shape in added if shape))
    return None
