"""The forms of a model's inputs: which axis of a PyTorch tensor is the batch of the blob.

For example, a tensor of 1x3x8x8 is the blob 3x8x8 if axis 0 is the batch, and 1x3x8x8 if there is
no batch. If nothing states the axis, the first form that contradicts no layer is taken.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice, product
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import PassFailedException

from ..analysis.shape_inference import set_input_shapes
from ..dialects.ncnn.blob import shape_of
from ..dialects.ncnn.extents import MAX_DIMS, NO_BATCH
from ..dialects.ncnn.function import input_name
from ..dialects.ncnn.lookup import model_of
from ..dialects.ncnn.weight_specs import Shape

if TYPE_CHECKING:
    from ..dialects.pnnx.operations import GraphOp

MOST_FORMS = 81
"""The largest number of combinations of forms that are tried."""

_FEED = re.compile(r"""\.input\(\s*["']([^"']+)["']\s*,([^\n]*\bMat\([^\n]*)""")
"""A line such as `ex.input("in0", ncnn.Mat(in0.numpy(), batch_index=0).clone())`."""

_AXIS = re.compile(r"\bbatch_index\s*=\s*(-?\d{1,3})|\.squeeze\((\d)\)")
"""The batch axis in such a line. Before 20261020, the script removes the axis instead."""


_TAKEN = re.compile(r"\b(out\d+)\.numpy\(batch_index=(\d{1,3})\)")
"""An output in the script, and its batch axis."""


def batch_axes_beside(pnnx: str) -> dict[str, int]:
    """Return the batch axis of each input and output in the script that PNNX writes with a
    `.pnnx.param`, `NO_BATCH` for one without a batch. Empty if there is no such script."""
    path = pnnx.removesuffix(".pnnx.param") + "_ncnn.py"
    try:
        with open(path, encoding="utf-8", errors="replace") as f:
            text = f.read()
    except OSError:
        return {}
    axes = {name: int(axis) for name, axis in _TAKEN.findall(text)}
    for name, blob in _FEED.findall(text):
        axis = _AXIS.search(blob)
        axes[name] = NO_BATCH if axis is None else int(axis[1] or axis[2])
    return axes


def describe_batches(graph: "GraphOp") -> list[str]:
    """Return a line for each input that the converter's script feeds as a batch of several blobs,
    and that a conversion of the graph makes one blob."""
    from ..dialects.pnnx.batch_axes import blobs_in_batch
    from ..dialects.pnnx.tensors import shape_in_torch

    heads = [v for op in graph.operators() if op.type.data == "pnnx.Input" for v in op.outputs]
    lines: list[str] = []
    for index, head in enumerate(heads):
        name, shape = f"in{index}", shape_in_torch(head.type)
        count = 1 if shape is None else blobs_in_batch(graph, name, shape)
        if shape is not None and count > 1:
            lines.append(
                f"input '{name}' is one blob with all axes, {'x'.join(map(str, shape))}; the "
                f"converter's script feeds a batch of {count} blobs"
            )
    return lines


def take_input_shapes(
    module: ModuleOp,
    graph: "GraphOp",
    axes: Mapping[str, int] | None = None,
    given: Collection[str] = (),
) -> None:
    """Set undeclared input shapes of a model to those of `stated_shapes`. Raise
    `PassFailedException` if all forms contradict the model."""
    func = model_of(module)
    if shapes := stated_shapes(func, graph, axes, given):
        set_input_shapes(func, shapes)


def stated_shapes(
    func: FuncOp,
    graph: "GraphOp",
    axes: Mapping[str, int] | None = None,
    given: Collection[str] = (),
) -> dict[str, Shape]:
    """Return the shapes in PNNX's IR of inputs without a declared shape, except for the `given`
    inputs.

    `axes` are the batch axes that PNNX states, by input. A blob has the axes of the tensor without
    the batch axis. If PNNX states nothing, the first form without a contradiction to weights and
    other blobs is taken: without a batch axis 0 of extent 1, with all axes, without an axis 1.
    """
    from ..dialects.pnnx.tensors import shape_in_torch

    heads = [v for op in graph.operators() if op.type.data == "pnnx.Input" for v in op.outputs]
    forms: dict[str, Sequence[Shape]] = {}
    for arg, head in zip(func.body.block.args, heads, strict=False):
        name, shape = input_name(func, arg.index), shape_in_torch(head.type)
        if shape_of(arg) is not None or shape is None or name in given:
            continue
        if found := list(forms_of(shape, (axes or {}).get(name))):
            forms[name] = found
    return _fitting(func, forms) if forms else {}


def forms_of(shape: Shape, axis: int | None) -> Iterator[Shape]:
    """Yield the shapes that a blob with the values of a tensor may have, the likeliest first.
    `axis` is the batch axis, if it is stated."""
    if axis is not None and axis != NO_BATCH and -len(shape) <= axis < len(shape):
        candidates = [axis % len(shape)]
    elif axis is not None:
        candidates = [None]
    else:
        candidates = [*([0] if shape[0] == 1 else []), None, *([1] if shape[1:2] == (1,) else [])]
    for each in candidates:
        blob = shape if each is None else (*shape[:each], *shape[each + 1 :])
        if 1 <= len(blob) <= MAX_DIMS:
            yield blob


def _fitting(func: FuncOp, forms: Mapping[str, Sequence[Shape]]) -> dict[str, Shape]:
    """Return the first combination of forms that contradicts nothing, or simply the first one."""
    tries = [
        dict(zip(forms, shapes, strict=True))
        for shapes in islice(product(*forms.values()), MOST_FORMS)
    ]
    for shapes in tries if len(tries) > 1 else ():
        copy = func.clone()
        try:
            set_input_shapes(copy, shapes)
        except PassFailedException:
            continue
        return shapes
    return tries[0]
