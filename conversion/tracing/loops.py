"""Loops: one step after the other, traced once."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from . import nodes
from .arrays import Traced, cast_to, node_of
from .nodes import Node, NotTraced


@dataclass(frozen=True, eq=False)
class Parameter(Node):
    """What each step of a loop is given."""


@dataclass(frozen=True, eq=False)
class Loop:
    """One step after the other, one for each row of a matrix: what is carried from step to step."""

    x: Node
    first: tuple[Node, ...]
    row: Parameter
    carried: tuple[Parameter, ...]
    next: tuple[Node, ...]
    """What a step makes of its row and of what was carried."""
    reverse: bool
    """Whether the last row comes first."""

    @cached_property
    def outer(self) -> tuple[Node, ...]:
        """What steps read that is the same in all of them."""
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
    """What a loop leaves: as 0 the first of what is carried, a vector, after the step of each row;
    then what is carried by the last step."""

    loop: Loop
    index: int

    @property
    def args(self) -> tuple[Node, ...]:
        return self.loop.x, *self.loop.first, *self.loop.outer


def scan(
    step: Callable[[Any, Any], Any], x: Any, states: Any, reverse: bool
) -> tuple[Traced, tuple[Traced, ...]]:
    rows, first = node_of(x), tuple(map(node_of, states))
    row = Parameter(rows.shape[1:], rows.dtype)
    carried = tuple(Parameter(each.shape, each.dtype) for each in first)
    found = step(Traced(row), tuple(map(Traced, carried)))
    after = tuple(
        cast_to(node_of(value), each.dtype) for value, each in zip(found, first, strict=True)
    )
    if any(a.shape != b.shape for a, b in zip(after, first, strict=True)):
        raise NotTraced("what a step leaves has another shape than what it was given")
    loop = Loop(rows, first, row, carried, after, reverse)
    every = LoopResult((rows.shape[0], *first[0].shape), first[0].dtype, loop, 0)
    last = [LoopResult(n.shape, n.dtype, loop, i) for i, n in enumerate(first, 1)]
    return Traced(every), tuple(map(Traced, last))
