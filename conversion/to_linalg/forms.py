"""The channels-last forms of convolutions: which convolutions each form is for, its cost, its
writer, and the choice of a form."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any

import numpy as np
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation, SSAValue

from ..tracing.nodes import Convolve, is_static
from . import convolutions_grouped as grouped
from . import convolutions_last as ungrouped
from . import costs
from .channels_last import MAX_TAPS
from .kernels import Kernels
from .processors import Processor
from .winograd import POINTS, is_exact, winograd

FORM_ATTRIBUTE = "ncnn.form"
"""The attribute of a layer, or of a fused operation, that names the form of its convolution."""

MAX_GROUPS = 64
"""More groups are not convolutions of their own."""


@dataclass(frozen=True)
class Form:
    """A way to write some convolutions."""

    name: str
    applies: Callable[[Convolve], bool]
    cost: Callable[[Convolve, Processor], float]
    """Estimates the time in nanoseconds by the shapes and the processor (`costs.py`)."""
    write: Callable[[Kernels, Convolve], SSAValue]
    """Writes the channels-last copy of the result."""
    is_dynamic: bool = False
    """Whether `write` accepts dynamic extents of h and w."""


def _is_pointwise(node: Convolve) -> bool:
    return node.groups == 1 and node.weight.shape[2:] == (1, 1)


def _is_windowed(node: Convolve) -> bool:
    """Whether windows without groups have more than one element, along two axes."""
    return len(node.strides) == 2 and node.groups == 1 and not _is_pointwise(node)


def _is_windowed_float(node: Convolve) -> bool:
    return _is_windowed(node) and node.dtype.kind == "f"


def _has_rows(node: Convolve) -> bool:
    """Whether a float result has several rows: for one row IREE's direct convolution takes ten
    times as long as columns."""
    return _is_windowed_float(node) and node.shape[1] != 1


def _is_depthwise(node: Convolve) -> bool:
    """Whether groups have one output channel, and one input or few products."""
    products = prod(n for n in node.weight.shape[1:] if isinstance(n, int))
    few = node.weight.shape[1] == 1 or products <= MAX_TAPS
    return len(node.strides) == 2 and few and 1 < node.groups == node.shape[0]


def _has_one_input(node: Convolve) -> bool:
    """Whether groups have one input and one output channel."""
    return _is_depthwise(node) and node.weight.shape[1] == 1


def _is_3x3(node: Convolve, tile: int) -> bool:
    """Whether windows are 3x3, with stride and dilation 1. Of int8, sums must be exact."""
    _, channels, *kernel = node.weight.shape
    steps = (*node.strides, *node.dilations)
    if not _is_windowed(node) or (*kernel, *steps) != (3, 3, 1, 1, 1, 1):
        return False
    narrow = node.x.dtype == node.weight.dtype == np.int8
    exact = narrow and isinstance(channels, int) and is_exact(channels, tile)
    return node.dtype.kind == "f" or exact


def _is_grouped(node: Convolve) -> bool:
    """Whether groups have several input channels or several output channels."""
    channels = (node.weight.shape[1], node.weight.shape[0])
    return len(node.strides) == 2 and node.groups > 1 and channels != (1, node.groups)


def _is_in_few_groups(node: Convolve) -> bool:
    """Whether each group may be a convolution of its own: many of them take minutes to compile."""
    return _is_grouped(node) and node.groups <= MAX_GROUPS


_UNGROUPED = (
    Form("places", _is_pointwise, costs.places, ungrouped.pointwise),
    Form("flat", _is_pointwise, costs.flat, partial(ungrouped.pointwise, is_flat=True), True),
    Form("direct", _has_rows, costs.direct, ungrouped.direct),
    Form("columns", _is_windowed, costs.columns, ungrouped.columns, True),
    *(
        Form(
            f"winograd{tile}",
            partial(_is_3x3, tile=tile),
            partial(costs.winograd, tile=tile),
            partial(winograd, tile=tile),
        )
        for tile in POINTS
    ),
    Form("windows", _has_one_input, costs.windows, ungrouped.windows, True),
    Form("taps", _is_depthwise, costs.taps, ungrouped.taps),
)


def _cost_of_groups(node: Convolve, processor: Processor) -> float:
    own = grouped.convolutions_of(node)[0]
    return costs.one_by_one(min(costs_of(own, processor, _UNGROUPED).values()), node, processor)


def _write_groups(kernels: Kernels, node: Convolve) -> SSAValue:
    return grouped.one_by_one(kernels, node, lambda own: _cheapest(kernels, own).write)


FORMS = (
    *_UNGROUPED,
    Form("groups", _is_in_few_groups, _cost_of_groups, _write_groups, True),
    Form("grouped", _is_grouped, costs.grouped, grouped.columns, True),
)
"""All forms; among forms of equal cost the first is chosen."""


def costs_of(
    node: Convolve, processor: Processor, forms: Sequence[Form] = FORMS
) -> dict[str, float]:
    """Return the costs of the forms that apply to a convolution by name, in ascending order. The
    result is empty if the number of channels is not statically known."""
    found = {form.name: form.cost(node, processor) for form in _applying(node, forms)}
    return dict(sorted(found.items(), key=lambda item: item[1]))


def _cheapest(kernels: Kernels, node: Convolve) -> Form:
    """Return the cheapest form for the convolution of one group."""
    return min(_applying(node, _UNGROUPED), key=lambda form: form.cost(node, kernels.processor))


def _applying(node: Convolve, forms: Sequence[Form]) -> list[Form]:
    if not is_static(node.weight) or not isinstance(node.x.shape[0], int):
        return []
    static = is_static(node.x)
    return [form for form in forms if (static or form.is_dynamic) and form.applies(node)]


def form_of(kernels: Kernels, node: Convolve) -> Form | None:
    """Return the form of a convolution: the form that `kernels` wants, else the form named like the
    style, else the cheapest one; `None` if no form applies. Raises `ValueError` if the wanted one
    does not apply."""
    if len(node.shape) < 3:
        return None
    wanted, style = kernels.form, kernels.style
    names = list(costs_of(node, kernels.processor))
    if wanted is not None and wanted not in names:
        raise ValueError(
            f"form '{wanted}' does not apply; use one of {', '.join(names)}"
            if names
            else f"form '{wanted}' does not apply, and no other form does; remove {FORM_ATTRIBUTE}"
        )
    if not names:
        return None
    name = wanted or (style if style in names else names[0])
    return next(form for form in FORMS if form.name == name)


def named_form(op: Operation) -> str | None:
    """Return the form that an operation's attribute names."""
    attr: Any = op.attributes.get(FORM_ATTRIBUTE)
    return attr.data if isinstance(attr, StringAttr) else None
