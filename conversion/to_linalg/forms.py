"""The channels-last forms of convolutions: which convolutions each form is for, its cost, its
writer, and the choice of a form."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from math import prod
from typing import Any

import numpy as np
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation, SSAValue

from ..tracing.nodes import Convolve, Input, is_static
from . import convolutions_last as writers
from . import costs
from .channels_last import MAX_TAPS
from .kernels import LinalgWriter
from .processors import VectorUnit
from .winograd import POINTS, is_exact, winograd

FORM_ATTRIBUTE = "ncnn.form"
"""The attribute of a layer, or of a fused operation, that names the form of its convolution."""


FORMER_NAMES = {
    "places": "conv1x1_nhwc",
    "flat": "conv1x1_gemm",
    "windows": "depthwise_loop",
    "taps": "depthwise_unrolled",
}
"""Their names in IR of earlier versions."""


@dataclass(frozen=True)
class ConvolutionForm:
    """A way to write some convolutions."""

    name: str
    applies: Callable[[Convolve], bool]
    cost: Callable[[Convolve, VectorUnit], float]
    """Estimates the time in nanoseconds by the shapes and the processor (`costs.py`)."""
    write: Callable[[LinalgWriter, Convolve], SSAValue]
    """Writes the channels-last copy of the result."""
    is_dynamic: bool = False
    """Whether `write` accepts dynamic extents of h and w."""


def _is_pointwise(node: Convolve) -> bool:
    return node.weight.shape[2:] == (1, 1) and not _has_one_input(node)


def _is_windowed(node: Convolve) -> bool:
    """Whether windows have more than one element, along two axes, and groups are no channels."""
    return len(node.strides) == 2 and not (_has_one_input(node) or node.weight.shape[2:] == (1, 1))


def _has_rows(node: Convolve) -> bool:
    """Whether a float result without groups has several rows: for one row IREE's direct convolution
    takes ten times as long as columns."""
    return node.groups == 1 and node.dtype.kind == "f" and _is_windowed(node) and node.shape[1] != 1


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


FORMS = (
    ConvolutionForm(
        "conv1x1_nhwc",
        lambda n: n.groups == 1 and _is_pointwise(n),
        costs.conv1x1_nhwc,
        writers.pointwise,
    ),
    ConvolutionForm(
        "conv1x1_gemm",
        _is_pointwise,
        costs.conv1x1_gemm,
        partial(writers.pointwise, is_flat=True),
        True,
    ),
    ConvolutionForm("direct", _has_rows, costs.direct, writers.direct),
    ConvolutionForm("columns", _is_windowed, costs.columns, writers.columns, True),
    *(
        ConvolutionForm(
            f"winograd{tile}",
            partial(_is_3x3, tile=tile),
            partial(costs.winograd, tile=tile),
            partial(winograd, tile=tile),
        )
        for tile in POINTS
    ),
    ConvolutionForm(
        "depthwise_loop", _has_one_input, costs.depthwise_loop, writers.depthwise_loop, True
    ),
    ConvolutionForm(
        "depthwise_unrolled", _is_depthwise, costs.depthwise_unrolled, writers.depthwise_unrolled
    ),
)
"""All forms; among forms of equal cost the first is chosen."""


def costs_of(node: Convolve, processor: VectorUnit) -> dict[str, float]:
    """Return the costs of the forms that apply to a convolution by name, in ascending order. The
    result is empty if the number of channels is not statically known."""
    found = {form.name: form.cost(node, processor) for form in _applying(node)}
    return dict(sorted(found.items(), key=lambda item: item[1]))


def _applying(node: Convolve) -> list[ConvolutionForm]:
    if not is_static(node.weight) or not isinstance(node.x.shape[0], int):
        return []
    static = is_static(node.x)
    return [form for form in FORMS if (static or form.is_dynamic) and form.applies(node)]


def form_of(kernels: LinalgWriter, node: Convolve) -> ConvolutionForm | None:
    """Return the form of a convolution: the form that `kernels` wants, else the cheapest one;
    `None` if no form applies. Raises `ValueError` if the wanted one does not apply."""
    if len(node.shape) < 3:
        return None
    # The input as it is written, whatever it is computed from.
    x = Input(node.x.shape, node.x.dtype, kernels.value(node.x))
    wanted = kernels.forms.get(node)
    names = list(costs_of(replace(node, x=x), kernels.processor))
    if wanted is not None and wanted not in names:
        raise ValueError(
            f"form '{wanted}' does not apply; use one of {', '.join(names)}"
            if names
            else f"form '{wanted}' does not apply, and no other form does; remove {FORM_ATTRIBUTE}"
        )
    if not names:
        return None
    return next(form for form in FORMS if form.name == (wanted or names[0]))


def named_form(op: Operation) -> str | None:
    """Return the form that an operation's attribute names, perhaps by its former name."""
    attr: Any = op.attributes.get(FORM_ATTRIBUTE)
    return FORMER_NAMES.get(attr.data, attr.data) if isinstance(attr, StringAttr) else None
