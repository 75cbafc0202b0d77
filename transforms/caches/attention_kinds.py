"""Self-attention and cross-attention of a decoder, and the proof that a mask is causal."""

from typing import Literal

import numpy as np
from xdsl.ir import BlockArgument, OpResult, SSAValue
from xdsl.utils.exceptions import PassFailedException

from ...dialects.ncnn.attention import Attention, MultiHeadAttentionOp, RotaryEmbedOp
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.interfaces import Reshaping
from ...dialects.ncnn.structure import InputOp, SplitOp

HIDES = -1e4
"""A mask of at most this value hides a key: after the softmax its share is 0 in float32."""

AttentionKind = Literal["self", "cross"]


class Streams:
    """The inputs of the model from which blobs are computed, other than masks and tables of
    rotations."""

    def __init__(self) -> None:
        self._known: dict[SSAValue, frozenset[BlockArgument]] = {}

    def of(self, value: SSAValue) -> frozenset[BlockArgument]:
        """Return the inputs of a blob."""
        pending = [value]
        while pending:  # iterative: models are deeper than Python's stack
            last = pending[-1]
            sources = _sources(last)
            unknown = [v for v in sources if v not in self._known]
            if unknown:
                pending += unknown
                continue
            own = frozenset[BlockArgument]()
            if isinstance(last, BlockArgument):
                own = frozenset((last,))
            self._known[last] = own.union(*(self._known[v] for v in sources))
            pending.pop()
        return self._known[value]

    def kind_of(self, op: Attention) -> AttentionKind:
        """Return the kind of an attention. Raises `PassFailedException` for a mixture."""
        query, *others = op.sequences(op.inputs)
        own = self.of(query)
        given = [self.of(v) for v in others]
        if all(each == own for each in given):
            return "self"
        if all(each < own or not each & own for each in given):
            return "cross"
        raise PassFailedException(
            f"{op.label()}: its keys are computed from other inputs than its query, but not only "
            "from inputs that stay the same from call to call"
        )


def _sources(value: SSAValue) -> list[SSAValue]:
    op = value.owner
    if not isinstance(value, OpResult) or isinstance(op, ConstantOp):
        return []
    if isinstance(op, InputOp):
        return [op.inputs[value.index]]
    if isinstance(op, RotaryEmbedOp):
        return [op.inputs[0]]
    if isinstance(op, Attention):
        return list(op.sequences(op.inputs))
    return list(value.op.operands)


def mask_of(op: Attention) -> SSAValue | None:
    """Return the mask of an attention, if it has one."""
    return op.inputs[len(op.sequences(op.inputs))] if op.attn_mask else None


def origin(value: SSAValue) -> SSAValue:
    """Return the blob from which layers that keep the order of elements make a value."""
    while isinstance(value, OpResult):
        op = value.op
        if isinstance(op, InputOp):
            value = op.inputs[value.index]
        elif isinstance(op, SplitOp) or (isinstance(op, Reshaping) and op.extra is None):
            value = op.operands[0]
        else:
            break
    return value


def is_causal(constant: ConstantOp) -> bool:
    """Whether a constant mask shows each step the steps up to it, and hides all later ones."""
    if not constant.has_values():
        return False
    values = np.asarray(constant.read(), np.float32)
    if values.ndim >= 2 and values.size == int(np.prod(values.shape[-2:])):
        values = values.reshape(values.shape[-2:])
    if values.ndim != 2 or len({*values.shape}) != 1:
        return False
    later = np.triu(np.ones(values.shape, bool), 1)
    return bool((values[later] <= HIDES).all() and (values[~later] == 0).all())


def check_causal(op: Attention) -> SSAValue:
    """Return the origin of the mask of a self-attention: an input of the model, which the
    application makes, or a causal constant. Raises `PassFailedException` for others."""
    mask = mask_of(op)
    remedy = "only attention that hides later steps can have a cache"
    if mask is None:
        raise PassFailedException(f"{op.label()} has no mask, so that it is not causal; {remedy}")
    source = origin(mask)
    if isinstance(source, BlockArgument):
        return source
    layer = source.owner
    if isinstance(layer, ConstantOp) and is_causal(layer):
        return source
    what = layer.label() if hasattr(layer, "label") else "another layer"  # pyright: ignore
    raise PassFailedException(f"the mask of {op.label()}, {what}, is not causal; {remedy}")


def joined_to_one(op: Attention) -> list[SSAValue]:
    """Return query, key and value of a self-attention; a MultiHeadAttention that reads one blob
    under several names reads it once, which is how it knows that keys grow."""
    sequences = list(op.sequences(op.inputs))
    if not isinstance(op, MultiHeadAttentionOp):
        return sequences
    if any(v is not sequences[0] for v in sequences):
        raise PassFailedException(
            f"{op.label()}: its query, keys and values are different blobs of one sequence, for "
            "which the runtime has no cache"
        )
    return sequences[:1]
