"""The scalar operations of a kernel's body: nodes at one point of a loop nest."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from xdsl.ir import SSAValue

from ..tracing import nodes
from ..tracing.nodes import Node
from . import scalars

Access: TypeAlias = tuple[int | None, ...]
"""For each axis of a node the loop that indexes it; `None` for an axis of one element."""

Element: TypeAlias = tuple[Node, Access]
"""A node at a point of the loop nest."""


class Elements:
    """Writes the elements that a kernel computes into its body, each once."""

    def __init__(
        self,
        number: Callable[[nodes.Scalar, scalars.Place], SSAValue],
        read: Mapping[Element, SSAValue],
        place: scalars.Place,
    ) -> None:
        self._number = number
        """Writes the scalar of a number."""
        self._place = place
        self._made = dict(read)
        """At first, the elements of the tensors that the kernel reads."""

    def of(self, node: Node, access: Access) -> SSAValue:
        """Return the element of a node at this access."""
        pending = [(node, access)]
        while pending:  # not by recursion: chains are longer than Python's stack
            last = pending[-1]
            operands = _operands(*last)
            missing = [each for each in operands if each not in self._made]
            if last in self._made:
                pending.pop()
            elif missing:
                pending += reversed(missing)
            else:
                args = [self._made[each] for each in operands]
                self._made[pending.pop()] = self._written(last[0], args)
        return self._made[node, access]

    def _written(self, node: Node, args: list[SSAValue]) -> SSAValue:
        match node:
            case nodes.Scalar():
                return self._number(node, self._place)
            case nodes.Elementwise(name="convert"):
                return scalars.convert(args[0], node.args[0].dtype, node.dtype, self._place)
            case nodes.Elementwise():
                return scalars.apply(node.name, args, node.dtype, node.predicate, self._place)
            case _:
                return args[0]  # a view moves elements


def _operands(node: Node, access: Access) -> list[Element]:
    """Return the elements that a kernel computes an element from."""
    match node:
        case nodes.View():
            return [_element(node.of, through(node, access))]
        case nodes.Elementwise():
            return [_element(arg, access) for arg in node.args]
        case _:
            return []


def _element(node: Node, access: Access) -> Element:
    return node, () if isinstance(node, nodes.Scalar) else access


def through(node: nodes.View, access: Access) -> Access:
    """Return the access to the operand of a view."""
    return tuple(
        next((access[i] for i, own in enumerate(node.axes) if own == axis), None)
        for axis in range(len(node.of.shape))
    )
