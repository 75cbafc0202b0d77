"""The scalar operations of a kernel's body: nodes at one point of a loop nest."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from xdsl.ir import SSAValue

from ..tracing import nodes
from ..tracing.nodes import Node
from . import scalars

Access: TypeAlias = tuple[int | None, ...]
"""For each axis of a node the loop that indexes it; `None` for an axis of one element."""


class Elements:
    """Writes the elements that a kernel computes into its body, each once."""

    def __init__(
        self,
        number: Callable[[nodes.Scalar, scalars.Place], SSAValue],
        read: Mapping[tuple[Node, Access], SSAValue],
        place: scalars.Place,
    ) -> None:
        self._number = number
        """Writes the scalar of a number."""
        self._read = read
        """The elements of the tensors that the kernel reads."""
        self._place = place
        self._made: dict[tuple[Node, Access], SSAValue] = {}

    def of(self, node: Node, access: Access, root: bool = False) -> SSAValue:
        """Return the element of a node at this access. The root of the kernel is computed even if
        its tensor is read."""
        key = (node, () if isinstance(node, nodes.Scalar) else access)
        if key in self._read and not root:
            return self._read[key]
        if key not in self._made:
            self._made[key] = self._computed(node, access)
        return self._made[key]

    def _computed(self, node: Node, access: Access) -> SSAValue:
        match node:
            case nodes.Scalar():
                return self._number(node, self._place)
            case nodes.View():
                return self.of(node.of, through(node, access))
            case nodes.Elementwise():
                args = [self.of(arg, access) for arg in node.args]
                if node.name == "convert":
                    return scalars.convert(args[0], node.args[0].dtype, node.dtype, self._place)
                return scalars.apply(node.name, args, node.dtype, node.predicate, self._place)
            case _:
                return self._read[node, access]


def through(node: nodes.View, access: Access) -> Access:
    """Return the access to the operand of a view."""
    return tuple(
        next((access[i] for i, own in enumerate(node.axes) if own == axis), None)
        for axis in range(len(node.of.shape))
    )
