"""The forms of the blobs at the ends of a graph, as the converter's own script states them."""

from collections.abc import Mapping
from typing import cast

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, IntegerType, i32

from .operations import GraphOp

BATCH_AXES = "batch_axes"
"""The attribute of a graph with the batch axis of each input `in0`, … and output `out0`, … that the
converter's script states. An axis beyond the tensor's stands for none."""

MAX_DIMS = 4
"""The most dims of a blob."""

Shape = tuple[int, ...]


def set_batch_axes(graph: GraphOp, axes: Mapping[str, int]) -> None:
    """Record the stated batch axes of a graph's inputs and outputs."""
    if axes:
        entries = {name: IntegerAttr(axis, i32) for name, axis in axes.items()}
        graph.attributes[BATCH_AXES] = DictionaryAttr(entries)


def stated_axis(graph: GraphOp, name: str) -> int | None:
    """Return the stated batch axis of an input or output; `None` if nothing is stated."""
    axes = graph.attributes.get(BATCH_AXES)
    axis = axes.data.get(name) if isinstance(axes, DictionaryAttr) else None
    if not isinstance(axis, IntegerAttr):
        return None
    return cast("IntegerAttr[IntegerType]", axis).value.data


def blobs_in_batch(graph: GraphOp, name: str, tensor: Shape) -> int:
    """Return the number of blobs that the converter states for a tensor: one, or a batch."""
    axis = stated_axis(graph, name)
    return tensor[axis] if axis is not None and 0 <= axis < len(tensor) else 1


def stated_blob(graph: GraphOp, name: str, tensor: Shape) -> Shape | None:
    """Return the shape of the blob for a tensor as the converter states it; `None` if it states
    nothing, a batch of several blobs, or a blob of more than four dims."""
    axis = stated_axis(graph, name)
    if axis is None:
        return None
    if 0 <= axis < len(tensor):
        if tensor[axis] != 1:
            return None
        tensor = (*tensor[:axis], *tensor[axis + 1 :]) or (1,)
    return tensor if 1 <= len(tensor) <= MAX_DIMS else None
