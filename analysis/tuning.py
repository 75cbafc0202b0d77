"""Queries of patterns to the tables of runtime facts (`analysis/target_info/`).

The answer holds for each processor family that `--tune` selects. Without `--tune` it holds for all
families: a rewrite is done only where it is slower on none of them.
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation
from xdsl.utils.exceptions import PassFailedException

from ..dialects.ncnn.attention import MultiHeadAttentionOp
from ..dialects.ncnn.blob import rank_of
from ..dialects.ncnn.convolution import Convolutional, Grouped
from ..dialects.ncnn.innerproduct import InnerProductOp
from ..dialects.ncnn.interfaces import ACTIVATIONS, ActivationHost
from ..dialects.shapes.terms import Extent, least, most
from .target_info import ATTRIBUTE, CHOICES, NONE, PROCESSORS, Host, Processor
from .target_info.facts import ANY


def processors_for(op: Operation) -> Sequence[Processor]:
    """The families that the module of an operation is made for: all, unless it says otherwise.
    Raises `PassFailedException` if it says what nobody knows."""
    module = op
    while (parent := module.parent_op()) is not None:
        module = parent
    match module.attributes.get(ATTRIBUTE):
        case None:
            return tuple(PROCESSORS.values())
        case StringAttr(data=name) if name in PROCESSORS:
            return (PROCESSORS[name],)
        case StringAttr(data=name) if name == NONE:
            return ()
        case other:
            known = ", ".join(CHOICES)
            raise PassFailedException(f"{ATTRIBUTE} of a module is one of {known}, not {other}")


def slow_activation(host: ActivationHost, activation: int) -> dict[str, str]:
    """Why an activation takes longer in a layer than by itself, for each family where it does: what
    ncnn's source has there."""
    if not isinstance(host, Convolutional | InnerProductOp):
        return {}
    groups = host.group if isinstance(host, Grouped) else 0
    # The extents of inputs decide on rows: where they may be there, they count.
    rows = isinstance(host, InnerProductOp) and rank_of(host.output) == 2
    found: dict[str, str] = {}
    for processor in PROCESSORS.values():
        least = processor.lanes.least
        packed = host.num_output % least == groups % least == 0
        fact = processor.slow_activation(
            Host(host.LAYER_TYPE, packed, rows), ACTIVATIONS[activation]
        )
        if fact is not None:
            found[processor.name] = fact.source.files
    return found


def slow_sdpa() -> dict[str, str]:
    """Why an SDPA takes longer than the products that it stands for, for each family where it does:
    what ncnn's source has there."""
    return {p.name: p.slow_sdpa.files for p in PROCESSORS.values() if p.slow_sdpa is not None}


def is_faster_attention(op: Operation, layer: str, features: int, steps: Sequence[Extent]) -> bool:
    """Whether the form of attention with a layer of this type certainly takes no longer than the
    other one, with so many features a head and steps of query and keys, on all processors that the
    module is made for. Made for none, it is to be one layer."""
    processors = processors_for(op)
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
    """Whether extents, which are 1 at least, are certainly among these numbers."""
    return all(
        max(least(extent) or 1, 1) >= numbers.start
        and (numbers.stop >= ANY or (most(extent) or ANY) < numbers.stop)
        for extent in extents
    )


def described(slow: dict[str, str]) -> str:
    """What a remark says of it: `slow on x86: layer/…`."""
    return "; ".join(f"slow on {name}: {source}" for name, source in slow.items())
