"""The forms in which convolutions are written with the channels innermost: what each is for, what
it costs, and which of them is taken.

A form is declared where it is written (`@form`), and is known by its name from there on: to the
cost model, which takes the cheapest, and to whoever says on a layer which one it is to be
(`CHOICE`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation, SSAValue

from ..tracing import nodes
from .kernels import Kernels

CHOICE = "ncnn.form"
"""The attribute of a layer, or a fused operation, that names the form of its convolution."""

Writer = Callable[[Kernels, nodes.Convolve], SSAValue]


@dataclass(frozen=True)
class Form:
    """A way to write some convolutions."""

    name: str
    takes: Callable[[nodes.Convolve], bool]
    """Whether it is for this one."""
    cost: Callable[[nodes.Convolve], float]
    """Nanoseconds, by its shapes (`costs.py`)."""
    write: Writer
    """Writes the twin."""


FORMS: dict[str, Form] = {}
"""All of them by name; of those of equal cost the first is taken."""


def form(
    name: str, takes: Callable[[nodes.Convolve], bool], cost: Callable[[nodes.Convolve], float]
) -> Callable[[Writer], Writer]:
    """Declares what writes a form."""

    def declare(writer: Writer) -> Writer:
        FORMS[name] = Form(name, takes, cost, writer)
        return writer

    return declare


def is_known(*given: nodes.Node) -> bool:
    """Whether all extents are known."""
    return all(isinstance(n, int) for node in given for n in node.shape)


def costs_of(node: nodes.Convolve) -> dict[str, float]:
    """The names of the forms that a convolution can have, with what each costs, the cheapest
    first; none where extents are not known."""
    if not is_known(node.x, node.weight):
        return {}
    from .convolutions_last import FORMS as declared

    found = {each.name: each.cost(node) for each in declared.values() if each.takes(node)}
    return dict(sorted(found.items(), key=lambda item: item[1]))


def chosen(kernels: Kernels, node: nodes.Convolve) -> Form | None:
    """The form of a convolution: that which its layer names, or else the cheapest one; `None` where
    there is none. Raises `ValueError` for a form that it cannot have."""
    known, wanted = list(costs_of(node)), kernels.choice
    if wanted is not None and wanted not in known:
        ours = ", ".join(known) or "none"
        raise ValueError(f"form '{wanted}' is not for it; the forms that it can have: {ours}")
    if wanted is None and kernels.form in known:
        wanted = kernels.form
    return FORMS[wanted or known[0]] if known else None


def choice_of(op: Operation) -> str | None:
    """The form that an operation names."""
    attr: Any = op.attributes.get(CHOICE)
    return attr.data if isinstance(attr, StringAttr) else None
