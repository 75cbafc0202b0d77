"""Look-ups, repetitions, and assignments to parts of a tensor."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from math import prod
from typing import Any

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.ncnn.embedding import EmbedOp
from ...dialects.ncnn.joining import ConcatOp, TileOp
from ...dialects.ncnn.reshaping import FlipOp
from ...dialects.pnnx.operations import OperatorOp
from ...transforms.pnnx_legalization.legalization import as_ints, resized
from ...transforms.pnnx_legalization.shape_operators import cuts_of
from ...transforms.rewriting.layer_builder import Shape
from .integers import holds_integers
from .lowering import (
    INTEGERS,
    Array,
    Lowering,
    OperatorBuilder,
    Refusal,
    element_of,
    rows_around,
    shown,
)
from .padding import cropped
from .selection import rows_at

MAX_RUNS = 256
"""The most ranges that a selection by constant indices copies."""


def embedding(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower a look-up of rows by integers."""
    if op.type.data == "nn.Embedding":
        indices, table = op.inputs[0], b.weight("weight")
    else:
        found = [b.operand(k, p) for p, k in enumerate(("input", "weight"))]
        if found[0] is None or found[1] is None:
            raise Refusal("it has no input or no weight")
        indices, table = found[0], b.known(found[1], "its weight")
    shape = b.shape(indices)
    rows, columns = table.shape
    if indices in b.constants:
        return [b.data(table[b.constants[indices].astype(int)])]
    if element_of(indices) not in INTEGERS:
        raise Refusal("its indices are no integers")
    b.expect((*shape, columns))
    count = prod(shape)
    if not holds_integers(indices, b.integers):
        return [rows_at(b, b.data(table), (rows, columns), 0, indices, shape)]
    return b.layer_with_weights(
        EmbedOp,
        [b.reshape(indices, (count,))],
        {"weight": b.constant(table)},
        (count, columns),
        num_output=columns,
        input_dim=rows,
    )


def index(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower `x[:, [1, 0]]`: indices along one axis, or constant ones along neighbouring axes."""
    shape = b.inputs[0]
    if op.type.data == "torch.index_select":
        where = b.operand("index", 1)
        axis = b.axis("dim")
        if where is None:
            raise Refusal("it has no indices")
    else:
        given = _indices(op)
        if len(given) > 1:
            return [_together(b, op.inputs[0], shape, given)]
        ((axis, where),) = given.items()
    if isinstance(where, SSAValue) and where not in b.constants:
        if element_of(where) not in INTEGERS:
            raise Refusal("its indices are no integers")
        places = b.shape(where)
        b.expect((*shape[:axis], *places, *shape[axis + 1 :]))
        return [rows_at(b, op.inputs[0], shape, axis, where, places)]
    places = _places(b, where, shape[axis])
    b.expect(resized(shape, axis, len(places)))
    return [selected(b, op.inputs[0], shape, axis, places)]


def _places(b: OperatorBuilder, where: Array | SSAValue, size: int) -> list[int]:
    """Return constant indices of an axis of `size` elements, without negative ones."""
    numbers = b.known(where, "an index") if isinstance(where, SSAValue) else where
    if numbers.ndim != 1 or numbers.dtype == np.bool_:
        raise Refusal("its indices are no list of integers")
    places = [int(n) % size for n in numbers if -size <= n < size]
    if len(places) != numbers.size:
        raise Refusal("an index is out of range")
    return places


def _together(
    b: OperatorBuilder, x: SSAValue, shape: Shape, given: Mapping[int, Array | SSAValue]
) -> SSAValue:
    """Return `x[:, [0, 2], [1, 3]]`: the elements at several indices each, along neighbouring axes
    that become one."""
    first, last = min(given), max(given)
    if last - first + 1 != len(given):
        raise Refusal("the axes of its indices are not neighbours")
    lists = [_places(b, given[axis], shape[axis]) for axis in sorted(given)]
    count = max(map(len, lists))
    if any(len(places) not in (1, count) for places in lists):
        raise Refusal("its lists of indices have different lengths")
    extents = shape[first : last + 1]
    rows = [places * count if len(places) == 1 else places for places in lists]
    flat = [int(np.ravel_multi_index(each, extents)) for each in zip(*rows, strict=True)]
    b.expect((*shape[:first], count, *shape[last + 1 :]))
    return selected(b, x, (*shape[:first], prod(extents), *shape[last + 1 :]), first, flat)


def _indices(op: OperatorOp) -> dict[int, Array | SSAValue]:
    """Return the indices of a `Tensor.index` by axis."""
    text = op.param("expr", None)
    if text is None:
        return {0: op.inputs[1]}
    words: Any = _parsed(str(text))
    given = {
        axis: op.inputs[int(word[1:])] if isinstance(word, str) else np.asarray(word)
        for axis, word in enumerate(words)
        if word is not None
    }
    if not given:
        raise Refusal(f"the index is {text}")
    return given


def _parsed(text: str) -> list[None | str | list[int]]:
    """Return the index of each axis in `[None,@1,[1,0]]`: nothing, an operand or integers."""
    import ast
    import re

    try:
        found = ast.literal_eval(re.sub(r"@([0-9]+)", r"'@\1'", text))
    except (ValueError, SyntaxError):
        raise Refusal(f"the index is {text}") from None
    words: list[Any] = found if isinstance(found, list) else [found]  # pyright: ignore
    if all(isinstance(w, int) for w in words):
        words = [words]
    for w in words:
        ints = isinstance(w, list) and all(isinstance(n, int) for n in w)  # pyright: ignore
        if w is not None and not ints and not isinstance(w, str):
            raise Refusal(f"the index is {text}")
    return words


def selected(
    b: OperatorBuilder, x: SSAValue, shape: Shape, axis: int, places: Sequence[int]
) -> SSAValue:
    """Return the elements at some places along an axis: a Concat of ranges."""
    if list(places) == list(range(shape[axis])):
        return x
    runs = [
        [place for _, place in run]
        for _, run in groupby(enumerate(places), key=lambda pair: pair[1] - pair[0])
    ]
    if len(runs) > MAX_RUNS:
        raise Refusal(f"its indices are {len(runs)} ranges")
    whole, at = b.fold_around(shape, axis)
    blobs = [
        b.reshape(cropped(b, x, shape, axis, (run[0], run[-1] + 1)), resized(whole, at, len(run)))
        for run in runs
    ]
    if len(blobs) == 1:
        return blobs[0]
    return b.layer(ConcatOp, blobs, resized(whole, at, len(places)), axis=at)[0]


def repeated(
    b: OperatorBuilder, x: SSAValue, shape: Shape, axis: int, times: int
) -> tuple[SSAValue, Shape]:
    """Return a tensor repeated along an axis, and its shape."""
    if times == 1:
        return x, shape
    outer, n, inner = rows_around(shape, axis)
    source = b.reshape(x, (outer, n, inner))
    y = b.layer(TileOp, [source], (outer, n * times, inner), axis=1, tiles=times)[0]
    return y, resized(shape, axis, n * times)


def expand(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower `expand`: axes of extent 1 are repeated."""
    out, shape, x = b.outputs[0], b.inputs[0], op.inputs[0]
    shape = (1,) * (len(out) - len(shape)) + shape
    if any(n not in (1, m) for n, m in zip(shape, out, strict=True)):
        raise Refusal(f"{shown(shape)} does not expand to {shown(out)}")
    for axis, n in enumerate(out):
        x, shape = repeated(b, x, shape, axis, n // shape[axis])
    return [x]


def repeat(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower `repeat` and `tile`: the whole tensor is repeated along its axes."""
    times = as_ints(op.param("sizes", op.param("dims", op.param("repeats", None))))
    if times is None:
        raise Refusal("its numbers of repetitions are not known")
    rank = max(len(times), len(b.inputs[0]))
    shape = (1,) * (rank - len(b.inputs[0])) + b.inputs[0]
    times = (1,) * (rank - len(times)) + times
    x = op.inputs[0]
    for axis, count in enumerate(times):
        x, shape = repeated(b, x, shape, axis, count)
    b.expect(shape)
    return [x]


def repeat_interleave(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower `repeat_interleave`: each element along an axis is repeated."""
    shape, x = b.inputs[0], op.inputs[0]
    times = int(b.number("repeats"))
    if op.param("dim", None) is None:
        shape = (prod(shape),)
        axis = 0
    else:
        axis = b.axis("dim")
    y, _ = repeated(b, x, (*shape[: axis + 1], 1, *shape[axis + 1 :]), axis + 1, times)
    b.expect(resized(shape, axis, shape[axis] * times))
    return [y]


def flip(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower `flip` along one axis after another."""
    shape, x, dims = b.inputs[0], op.inputs[0], as_ints(op.param("dims", None))
    if dims is None:
        raise Refusal("its axes are not known")
    b.expect(shape)
    for axis in sorted({dim % len(shape) for dim in dims}):
        whole, at = b.fold_around(shape, axis)
        x = b.unary_layer(FlipOp, x, whole, axes=(at,))
    return [x]


def slice_copy(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower an assignment to a slice: along each axis, the parts before, in and behind it are
    joined; with a step, each step's elements are."""
    x, part = b.operand("self", 0), b.operand("src", 1)
    if x is None or part is None:
        raise Refusal("it has no tensor or no source")
    shape, given = b.shape(x), b.shape(part)
    cuts = cuts_of_any(op, shape)
    changed = [axis for axis, cut in cuts.items() if cut != (0, shape[axis], 1, False)]
    wanted = tuple(
        -((cuts[i][0] - cuts[i][1]) // cuts[i][2]) if i in cuts else n for i, n in enumerate(shape)
    )
    if prod(given) != prod(wanted):
        raise Refusal(f"its source is {shown(given)}, not {shown(wanted)}")
    return [_assigned(b, x, part, shape, {axis: cuts[axis][:3] for axis in changed})]


def cuts_of_any(op: OperatorOp, shape: Shape) -> dict[int, tuple[int, int, int, bool]]:
    """Return the ranges of a slice. Raises `Refusal`."""
    from xdsl.dialects.builtin import StringAttr

    slice_ = OperatorOp.create(
        result_types=[], properties={**op.properties, "type": StringAttr("Tensor.slice")}
    )
    cuts = cuts_of(slice_, shape)
    if cuts is None:
        raise Refusal("its range is not known")
    return cuts


def _assigned(
    b: OperatorBuilder,
    x: SSAValue,
    part: SSAValue,
    shape: Shape,
    cuts: Mapping[int, tuple[int, int, int]],
) -> SSAValue:
    """Return `x` with the elements of `part` in a range of some axes."""
    if not cuts:
        return part
    axis, (start, stop, step) = next(iter(cuts.items()))
    inner = {a: cut for a, cut in cuts.items() if a != axis}
    places = list(range(start, stop, step))
    if inner:
        rows = selected(b, x, shape, axis, places)
        part = _assigned(b, rows, part, resized(shape, axis, len(places)), inner)
    whole, at = b.fold_around(shape, axis)
    pieces: list[tuple[SSAValue, int]] = []
    source = resized(shape, axis, len(places))
    end = 0
    if len(places) > MAX_RUNS and step > 1:
        raise Refusal(f"it assigns {len(places)} ranges")
    if step == 1:
        pieces = [(cropped(b, x, shape, axis, (0, start)), start)] if start else []
        pieces.append((part, len(places)))
        end = places[-1] + 1
    else:
        for i, place in enumerate(places):
            if end < place:
                pieces.append((cropped(b, x, shape, axis, (end, place)), place - end))
            pieces.append((cropped(b, part, source, axis, (i, i + 1)), 1))
            end = place + 1
    if end < shape[axis]:
        pieces.append((cropped(b, x, shape, axis, (end, shape[axis])), shape[axis] - end))
    blobs = [b.reshape(v, resized(whole, at, n)) for v, n in pieces]
    return blobs[0] if len(blobs) == 1 else b.layer(ConcatOp, blobs, whole, axis=at)[0]


LOWERINGS: Mapping[str, Lowering] = {
    **dict.fromkeys(("nn.Embedding", "F.embedding"), embedding),
    **dict.fromkeys(("Tensor.index", "torch.index_select"), index),
    **dict.fromkeys(("Tensor.expand", "Tensor.expand_as"), expand),
    **dict.fromkeys(("Tensor.repeat", "torch.tile"), repeat),
    "torch.repeat_interleave": repeat_interleave,
    "torch.flip": flip,
    **dict.fromkeys(("Tensor.slice_copy", "torch.slice_scatter"), slice_copy),
}
