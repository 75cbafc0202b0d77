"""How the state that an application carries from call to call changes in a rewrite.

A pass states such relations for its proof (`proofs/calls.py`):

    class ShareHeadsOfCaches(ModulePass):
        def state_relations(self, before: FuncOp, after: FuncOp) -> Relations:
            return {"cache_k0": RepeatedHeads(2), "cache_v0": RepeatedHeads(2)}
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue

from ..dialects.ncnn.blob import UNRANKED, shape_of
from ..dialects.ncnn.extents import ABSENT
from ..dialects.ncnn.joining import ConcatOp, SliceOp
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.reshaping import FlipOp, SqueezeOp

STEPS = -2
"""The axis of steps in a cache of keys or values."""

Insert: TypeAlias = Callable[[LayerOp], Sequence[SSAValue]]
"""A function that inserts a layer, and returns its results."""


class StateRelation(Protocol):
    """How the state before a rewrite follows from the state after it."""

    def layers(self, state: SSAValue, insert: Insert) -> SSAValue:
        """Insert layers that compute the state before the rewrite. Raises `ValueError`."""
        ...

    def __str__(self) -> str:
        """Return the relation in words, as certificates state it."""
        ...


@dataclass(frozen=True)
class RepeatedHeads:
    """Each head of the cache is repeated several times in a row in the cache before the rewrite."""

    times: int

    def layers(self, state: SSAValue, insert: Insert) -> SSAValue:
        shape = shape_of(state)
        if shape is None or len(shape) != 3 or shape[0] == DYNAMIC_INDEX:
            raise ValueError("the number of heads of a cache is not known")
        heads: Sequence[SSAValue] = [state]
        if shape[0] > 1:
            slices = SliceOp.make([state], {}, [UNRANKED] * shape[0], {})
            # Of a cache with another number of heads, the parts are larger: nothing is dropped.
            slices.set_params(axis=0, slices=(ABSENT,) * shape[0])
            heads = insert(slices)
        joined = ConcatOp.make([h for h in heads for _ in range(self.times)], {}, [UNRANKED], {})
        return insert(joined)[0]

    def __str__(self) -> str:
        return f"each head {self.times} times in a row"


@dataclass(frozen=True)
class ReversedSteps:
    """The cache has an outermost axis of extent 1 more, and the newest step first."""

    def layers(self, state: SSAValue, insert: Insert) -> SSAValue:
        squeeze = SqueezeOp.make([state], {}, [UNRANKED], {})
        squeeze.set_params(axes=(0,))
        flip = FlipOp.make(insert(squeeze), {}, [UNRANKED], {})
        flip.set_params(axes=(STEPS,))
        return insert(flip)[0]

    def __str__(self) -> str:
        return "without the outermost axis, and the steps in reverse order"


Relations: TypeAlias = Mapping[str, StateRelation]
"""The relations of states, by the names of the inputs."""
