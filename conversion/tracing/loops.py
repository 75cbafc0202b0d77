"""Loops whose steps depend on earlier steps; one step is traced.

An RNN runs a step for each row of its input, often of a dynamic number. Its step is traced with
parameters in place of the row and the state, and becomes the body of an `scf.for`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from . import nodes
from .arrays import Traced, cast_to, node_of
from .nodes import Node, NotTraced


@dataclass(frozen=True, eq=False)
class LoopParameter(Node):
    """An input of each step of a loop."""


@dataclass(frozen=True, eq=False)
class Loop:
    """A loop over the rows of a matrix with a state from step to step."""

    x: Node
    first: tuple[Node, ...]
    row: LoopParameter
    carried: tuple[LoopParameter, ...]
    next: tuple[Node, ...]
    """The state after a step, computed from its row and the state before."""
    reverse: bool
    """Whether the last row comes first."""

    @cached_property
    def outer(self) -> tuple[Node, ...]:
        """The loop-invariant values that steps read."""
        varying: set[Node] = {self.row, *self.carried}
        found: dict[Node, None] = {}
        order = list(nodes.in_order(self.next))
        for node in order:
            if any(arg in varying for arg in node.args):
                varying.add(node)
        for node in order:
            if node in varying:
                found |= {arg: None for arg in node.args if arg not in varying}
        found |= {node: None for node in self.next if node not in varying}
        return tuple(node for node in found if not isinstance(node, nodes.Scalar))


@dataclass(frozen=True, eq=False)
class LoopResult(Node):
    """A result of a loop. Index 0 is the first state, a vector, after the step of each row; higher
    indices are the states after the last step."""

    loop: Loop
    index: int

    @property
    def args(self) -> tuple[Node, ...]:
        return self.loop.x, *self.loop.first, *self.loop.outer


def scan(
    step: Callable[[Any, Any], Any], x: Any, states: Any, reverse: bool
) -> tuple[Traced, tuple[Traced, ...]]:
    rows, first = node_of(x), tuple(map(node_of, states))
    row = LoopParameter(rows.shape[1:], rows.dtype)
    carried = tuple(LoopParameter(each.shape, each.dtype) for each in first)
    found = step(Traced(row), tuple(map(Traced, carried)))
    after = tuple(
        cast_to(node_of(value), each.dtype) for value, each in zip(found, first, strict=True)
    )
    if any(a.shape != b.shape for a, b in zip(after, first, strict=True)):
        raise NotTraced("the state after a step has another shape than before")
    loop = Loop(rows, first, row, carried, after, reverse)
    every = LoopResult((rows.shape[0], *first[0].shape), first[0].dtype, loop, 0)
    last = [LoopResult(n.shape, n.dtype, loop, i) for i, n in enumerate(first, 1)]
    return Traced(every), tuple(map(Traced, last))
