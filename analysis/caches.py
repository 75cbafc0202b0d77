"""Caches of keys and values that the application carries from one call of a model to the next."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import BlockArgument, OpResult, SSAValue

from ..dialects.ncnn.attention import Attention
from ..dialects.ncnn.blob import shape_of
from ..dialects.ncnn.function import input_name, output_names, outputs_of
from ..dialects.ncnn.structure import InputOp


class CacheInterface(NamedTuple):
    """The cache of an attention layer, as inputs and outputs of the model: keys first."""

    past: tuple[BlockArgument, BlockArgument]
    every: tuple[OpResult, OpResult]


def cache_interface(op: Attention) -> CacheInterface | None:
    """Return the cache of a layer, if it is a pair of inputs that only this layer reads and a pair
    of outputs that no other layer reads."""
    past = [arg for v in op.past(op.inputs) if (arg := sole_input(v)) is not None]
    every = [v for v in op.outputs[1:] if is_only_returned(v)]
    if len(past) != 2 or len(every) != 2 or past[0] is past[1]:
        return None
    return CacheInterface((past[0], past[1]), (every[0], every[1]))


def sole_input(value: SSAValue) -> BlockArgument | None:
    """Return the input that a value is, if the value has one use. The Input layer may be among the
    other layers."""
    if not value.has_one_use():
        return None
    if isinstance(value, OpResult) and isinstance(value.op, InputOp):
        return sole_input(value.op.inputs[value.index])
    return value if isinstance(value, BlockArgument) else None


def is_only_returned(value: OpResult) -> bool:
    """Whether a value is an output of the model and no layer reads it."""
    return bool(value.uses) and all(isinstance(use.operation, ReturnOp) for use in value.uses)


def attentions_with_cache(func: FuncOp) -> Iterator[Attention]:
    """Yield the attention layers that have a cache, in program order."""
    for op in func.body.block.ops:
        if isinstance(op, Attention) and op.kv_cache:
            yield op


def cache_heads(func: FuncOp) -> dict[str, int]:
    """Return the numbers of heads of the caches that the application carries, by the names of the
    inputs and outputs, as far as they are known."""
    names = dict(zip((value for value, _ in outputs_of(func)), output_names(func), strict=True))
    heads: dict[str, int] = {}
    for op in attentions_with_cache(func):
        if (cache := cache_interface(op)) is None:
            continue
        for arg, result in zip(cache.past, cache.every, strict=True):
            shape = shape_of(result)
            if shape is not None and len(shape) == 3 and shape[0] != DYNAMIC_INDEX:
                heads[input_name(func, arg.index)] = heads[names[result]] = shape[0]
    return heads


def shared_by(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    """Return how often each head of a cache after a rewrite is repeated in the cache before it, by
    the names of inputs and outputs whose heads became fewer. Both arguments are `cache_heads`."""
    both = ((name, n, after[name]) for name, n in before.items() if name in after)
    return {name: n // few for name, n, few in both if 0 < few < n and n % few == 0}
