"""The interface of a model, which is part of the statement of a proof: a rewrite keeps it.

The interface is the names and the order of inputs and outputs, the extents that the user made
static or bounded, and the feature masks of layers. A pass that changes names on purpose states a
map:

    class Rename(ModulePass):
        renamed: Mapping[str, str] = {"data": "residue"}
"""

from collections.abc import Mapping, Set

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.function import blob_in, input_name, name_at_producer, output_names, outputs_of
from ..dialects.ncnn.layer import LayerOp
from ..dialects.shapes.analysis import AT_MOST, PROMISED
from .canonical_form import canonical_key, live_operations


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
            return (
                f"the static extents of input '{name}' change, but only --fix-shapes and "
                "--max-shape set them"
            )
    return _mask_difference(before, after)


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


def _mask_difference(before: FuncOp, after: FuncOp) -> str | None:
    """Return how the feature masks of layers differ: a layer has no new mask, and where a layer
    with a mask vanishes, a layer that takes its place has the mask."""
    ours, theirs = _layers(before), _layers(after)
    masks = {0, *(op.featmask for op in ours.values())}
    for name, op in theirs.items():
        mask = op.featmask
        if mask not in masks or (ours[name].featmask if name in ours else mask) != mask:
            return f"the feature mask of layer '{name}' becomes {mask}"
    live = {*live_operations(before)}
    gone = {op for name, op in ours.items() if name not in theirs and op in live}
    for op in gone:
        heirs = [
            theirs[name]
            for name, each in _beside(op, gone, ours)
            if name in theirs and _differ(each, theirs[name])
        ]
        heirs += [each for name, each in theirs.items() if name not in ours]
        if op.featmask and heirs and all(each.featmask != op.featmask for each in heirs):
            return f"{op.label()} vanishes, and no layer gets its feature mask {op.featmask}"
    return None


def _layers(func: FuncOp) -> dict[str, LayerOp]:
    """Return the layers by name, without constants."""
    return {
        op.layer_name.data: op
        for op in func.body.block.ops
        if isinstance(op, LayerOp) and not isinstance(op, ConstantOp) and op.layer_name is not None
    }


def _beside(
    op: LayerOp, gone: Set[LayerOp], layers: Mapping[str, LayerOp]
) -> list[tuple[str, LayerOp]]:
    """Return the layers that a layer is connected to through layers that vanish, with names."""
    pending: list[Operation] = [op]
    reached: set[Operation] = {op}
    while pending:
        each = pending.pop()
        users = [use.operation for result in each.results for use in result.uses]
        makers = [value.owner for value in each.operands if isinstance(value.owner, Operation)]
        for other in (*users, *makers):
            if other not in reached:
                reached.add(other)
                if other in gone:
                    pending.append(other)
    return [(name, each) for name, each in layers.items() if each in reached and each not in gone]


def _differ(before: LayerOp, after: LayerOp) -> bool:
    """Whether a layer has other parameters or weights."""
    if canonical_key(before) != canonical_key(after) or len(before.operands) != len(after.operands):
        return True
    pairs = zip(before.operands, after.operands, strict=True)
    return any(
        isinstance(a.owner, ConstantOp)
        and not (isinstance(b.owner, ConstantOp) and a.owner.value is b.owner.value)
        for a, b in pairs
    )


def _text(names: list[str]) -> str:
    return ", ".join(map(repr, names)) or "none"
