"""The interface of a model, which is part of the statement of a proof: a rewrite keeps it.

The interface is the names and the order of inputs and outputs, the extents that the user promised,
and the feature masks of layers. A pass that changes the names on purpose states a map:

    class Rename(ModulePass):
        renamed: Mapping[str, str] = {"data": "image"}
"""

from collections.abc import Mapping

from xdsl.dialects.func import FuncOp

from ..dialects.ncnn.function import blob_in, input_name, name_at_producer, output_names, outputs_of
from ..dialects.ncnn.layer import LayerOp
from ..dialects.shapes.analysis import AT_MOST, PROMISED


def interface_difference(
    before: FuncOp, after: FuncOp, renamed: Mapping[str, str] | None = None
) -> str | None:
    """Return what differs in the interfaces of two models; `None` if they are the same. `renamed`
    maps names before the rewrite to names after it."""
    if not is_compatible(before, after):
        return "inputs or outputs appear or vanish"
    new = dict(renamed or {})
    for what, ours, theirs in (
        ("inputs", _inputs(before), _inputs(after)),
        ("outputs", *_outputs(before, after)),
    ):
        wanted = [new.get(name, name) for name in ours]
        if wanted != theirs:
            return f"the {what} {_text(wanted)} become {_text(theirs)}"
    for i, (ours, theirs) in enumerate(zip(_promises(before), _promises(after), strict=True)):
        if ours != theirs:
            name = _inputs(after)[i]
            return f"the promised extents of input '{name}' change, but only the user promises"
    masks = {0, *_masks(before).values()}
    for name, mask in _masks(after).items():
        if mask not in masks or _masks(before).get(name, mask) != mask:
            return f"the feature mask of layer '{name}' becomes {mask}"
    return None


def is_compatible(before: FuncOp, after: FuncOp) -> bool:
    """Whether two models have the same number of inputs and outputs."""
    sizes = [(len(f.body.block.args), len(outputs_of(f))) for f in (before, after)]
    return sizes[0] == sizes[1]


def _inputs(func: FuncOp) -> list[str]:
    return [input_name(func, i) for i in range(len(func.body.block.args))]


def _outputs(before: FuncOp, after: FuncOp) -> tuple[list[str], list[str]]:
    """Return the names of the outputs. An output that no operation names may get a name."""
    pairs = zip(outputs_of(before), outputs_of(after), strict=True)
    free = [
        blob_in(attrs) is None and blob_in(others) is None and name_at_producer(value) is None
        for (_, attrs), (value, others) in pairs
    ]
    ours, theirs = output_names(before), output_names(after)
    return ours, [a if each else b for a, b, each in zip(ours, theirs, free, strict=True)]


def _promises(func: FuncOp) -> list[object]:
    """Return the promised shape of each input, and the axes that it bounds."""
    if func.arg_attrs is None:
        return [None] * len(func.body.block.args)
    return [
        (arg.type, each.data.get(AT_MOST)) if PROMISED in each.data else None
        for arg, each in zip(func.body.block.args, func.arg_attrs.data, strict=True)
    ]


def _masks(func: FuncOp) -> dict[str, int]:
    """Return the feature masks of the layers that have one, by name."""
    return {
        op.layer_name.data: op.featmask
        for op in func.body.block.ops
        if isinstance(op, LayerOp) and op.layer_name is not None
    }


def _text(names: list[str]) -> str:
    return ", ".join(map(repr, names)) or "none"
