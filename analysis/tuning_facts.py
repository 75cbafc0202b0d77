"""Queries of patterns to the tables of runtime facts (`analysis/target_info/`).

The answer holds for each processor family that `--tune` selects. Without `--tune` it holds for all
families: a rewrite is done only where it is slower on none of them.
"""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation
from xdsl.utils.exceptions import PassFailedException

from ..dialects.ncnn.attention import MultiHeadAttentionOp
from ..dialects.ncnn.blob import rank_of
from ..dialects.ncnn.convolution import Convolutional, Grouped
from ..dialects.ncnn.innerproduct import InnerProductOp
from ..dialects.ncnn.interfaces import ACTIVATIONS, ActivationHost
from ..dialects.shapes.analysis import Extents
from ..dialects.shapes.terms import Extent, least, most
from .module_attributes import may_run_on_vulkan, module_attribute
from .target_info import (
    ATTRIBUTE,
    CHOICES,
    NONE,
    PROCESSORS,
    VULKAN,
    HostLayer,
    Processor,
    parse_choices,
)
from .target_info.facts import UNBOUNDED

_CONSULTED: ContextVar[set[str] | None] = ContextVar("consulted", default=None)


@contextmanager
def noting_rewrites() -> Generator[set[str]]:
    """Collect the rewrites of `REWRITES` that depend on the processor in the block."""
    found: set[str] = set()
    token = _CONSULTED.set(found)
    try:
        yield found
    finally:
        _CONSULTED.reset(token)


def processors_for(op: Operation, rewrite: str = "") -> Sequence[Processor]:
    """Return the families that the module of an operation is tuned for, for one of `REWRITES`: the
    family in the module's attribute, or all; none for a Vulkan device. Raise
    `PassFailedException` if the attribute is invalid."""
    if (consulted := _CONSULTED.get()) is not None:
        consulted.add(rewrite)
    match module_attribute(op, ATTRIBUTE):
        case None:
            return tuple(PROCESSORS.values())
        case StringAttr(data=name) if name in PROCESSORS:
            return (PROCESSORS[name],)
        case StringAttr(data=name) if name in (NONE, VULKAN):
            return ()
        case StringAttr(data=text) if (choices := parse_choices(text)) is not None:
            choice = choices.get(rewrite)
            if choice in PROCESSORS:
                return (PROCESSORS[choice],)
            return () if choice in (NONE, VULKAN) else tuple(PROCESSORS.values())
        case other:
            known = ", ".join(CHOICES)
            raise PassFailedException(
                f"{ATTRIBUTE} of a module must be one of {known}, not {other}"
            )


def broadcasts_wrongly_on_vulkan(
    op: Operation, rank: int, expanded: Extents, beside: Extents
) -> bool:
    """Whether the Vulkan code of all releases computes wrong values for a BinaryOp whose first
    operand has a lower rank than the second and is expanded to the rank of the second: the result
    has the shape of the second (`binaryop_vulkan.cpp`), even if that one has an extent of 1 where
    the first one may be larger. False if the module of `op` is tuned for a CPU."""
    if rank == len(beside) or not may_run_on_vulkan(op):
        return False
    return any(a != 1 == b for a, b in zip(expanded, beside, strict=True))


def permutes_wrongly_on_vulkan(
    op: Operation, order: Sequence[int], extents: Extents | None
) -> bool:
    """Whether the Vulkan code of all releases may compute wrong values for a Permute in float16:
    the channels stay the outermost axis, 4 may divide them, and the plane may be odd.
    `permute_pack4.comp` divides an index that counts `cstep` elements per channel by those of the
    plane, and a plane of 4 x float16 is padded to an even number of elements. `order` has the input
    axis of each output axis. False if the module of `op` is tuned for a CPU."""
    if not may_run_on_vulkan(op):
        return False
    if len(order) < 3 or order[0] != 0 or list(order) == sorted(order):
        return False
    if extents is None:
        return True
    channels, *plane = extents
    if isinstance(channels, int) and channels % 4:
        return False
    return not any(extent // 2 * 2 == extent for extent in plane)


def slow_activation(host: ActivationHost, activation: int) -> dict[str, str]:
    """Return, for each family where an activation is slower inside a layer than as a separate
    layer, the reason: the place in ncnn's source."""
    if not isinstance(host, Convolutional | InnerProductOp):
        return {}
    groups = host.group if isinstance(host, Grouped) else 0
    # The rank depends on the model's inputs: a blob that may have rows counts as rows.
    rows = isinstance(host, InnerProductOp) and rank_of(host.output) == 2
    found: dict[str, str] = {}
    for processor in PROCESSORS.values():
        least = processor.lanes.least
        packed = host.num_output % least == groups % least == 0
        fact = processor.slow_activation(
            HostLayer(host.LAYER_TYPE, packed, rows), ACTIVATIONS[activation]
        )
        if fact is not None:
            found[processor.name] = fact.source.files
    return found


def slow_sdpa() -> dict[str, str]:
    """Return, for each family where an SDPA is slower than the products that it replaces, the
    reason: the place in ncnn's source."""
    return {p.name: p.slow_sdpa.files for p in PROCESSORS.values() if p.slow_sdpa is not None}


def is_faster_attention(op: Operation, layer: str, features: int, steps: Sequence[Extent]) -> bool:
    """Whether attention as a layer of type `layer` is provably no slower than the other form, on
    all processor families that the module is tuned for.

    `features` is the number of features per head; `steps` are the numbers of steps of the query and
    the keys. With `--tune none`, only MultiHeadAttention counts as faster.
    """
    processors = processors_for(op, "attention")
    if not processors:
        return layer == MultiHeadAttentionOp.LAYER_TYPE
    return all(
        any(
            fact.layer == layer and features in fact.features and _within(steps, fact.steps)
            for fact in processor.attention
        )
        for processor in processors
    )


def _within(extents: Sequence[Extent], numbers: range) -> bool:
    """Whether extents, which are at least 1, are provably in this range."""
    return all(
        max(least(extent) or 1, 1) >= numbers.start
        and (numbers.stop >= UNBOUNDED or (most(extent) or UNBOUNDED) < numbers.stop)
        for extent in extents
    )


def described(slow: dict[str, str]) -> str:
    """Return the text of a remark: `slow on x86: layer/…`."""
    return "; ".join(f"slow on {name}: {source}" for name, source in slow.items())
