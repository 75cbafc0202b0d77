"""Random values for the inputs of a model."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ..dialects.ncnn.assembly import names_of
from ..dialects.ncnn.blob import static_shape_of
from ..dialects.ncnn.embedding import EmbedOp
from ..dialects.ncnn.function import input_name
from ..dialects.ncnn.structure import InputOp, NoopOp, SplitOp
from ..transforms.finding import model_of
from .errors import UsageError


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


def random_input(name: str, value: SSAValue, rng: np.random.Generator) -> NDArray[Any]:
    """Values for an input: uniform in [-1, 1) as float32; for what an Embed looks up, int32 below
    the number of its rows. Raises `UsageError` if the input's shape is not known."""
    shape = static_shape_of(value)
    if shape is None:
        raise UsageError(
            f"the shape of input '{name}' is not known ({value.type}); "
            f"give it with --input-shape {name}=…"
        )
    if rows := [embed.input_dim for embed in _lookups(value)]:
        return rng.integers(0, max(min(rows), 1), shape, np.int32)
    return rng.uniform(-1, 1, shape).astype(np.float32)


def is_looked_up(value: SSAValue) -> bool:
    """Whether an Embed reads a value: its elements are int32, whatever its type says."""
    return next(_lookups(value), None) is not None


def _lookups(value: SSAValue) -> Iterator[EmbedOp]:
    """The Embed layers that read a value, also through layers that only pass it on."""
    for use in value.uses:
        user = use.operation
        if isinstance(user, EmbedOp):
            yield user
        elif isinstance(user, SplitOp | NoopOp | InputOp):
            for result in user.results:
                yield from _lookups(result)
