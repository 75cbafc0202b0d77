"""Layers in int8 whose weights and biases are fitted to what they compute in float, see
`rounding.py`."""

from collections.abc import Collection, Sequence

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ..dialects.ncnn.int8 import StaticInt8
from ..dialects.ncnn.lookup import find_layer, model_of
from ..formats.scale_table import ScaleTable
from ..interpreters.ncnn.int8 import to_int8
from .by_layer import Tell, change_by_layer
from .constants import constant_before, drop_unused, fits_float32, read
from .counts import Array
from .measuring import Bench
from .prepared import Candidate
from .rounding import Moments, fit, layer_windows
from .scales import largest_sums

MOST_COLUMNS = 1 << 13
"""A layer with more elements in a row of its weight stays as it is: the matrix of their products
would be too large."""
PLACES = 4
"""So many windows for each element of a row are looked at, or all where there are fewer; but not
less than"""
FEWEST_PLACES = 1 << 12


def fit_weights(
    bench: Bench,
    module: ModuleOp,
    table: ScaleTable,
    keep: Collection[str],
    chosen: Sequence[int],
    tell: Tell = lambda done, total: None,
) -> ModuleOp:
    """A copy of a float model, a form of that of a bench, with other weights and biases in the
    layers that become int8: weights that are integers divided by the scales of the table, so that
    they are rounded to these. They are fitted in the order of the model, on the samples chosen:
    each layer has the input that those before it, fitted already, make in int8.
    """

    def change(integers: ModuleOp, layer: Candidate, ours: StaticInt8, in_int8: StaticInt8) -> None:
        if read(ours.weight)[0].size > MOST_COLUMNS:
            return
        weight, bias = _fitted(bench, integers, layer, ours, table, chosen)
        scales = np.asarray(table.weights[layer.name, 0], "f4")
        in_rows = weight.reshape(len(scales), -1) * scales[:, None]
        rounded = to_int8(in_rows.astype("f4")).reshape(weight.shape)
        for op, values in ((ours, weight), (in_int8, rounded)):
            op.set_weights(
                weight=constant_before(op, op.weight, values),
                bias=constant_before(op, op.bias, bias),
            )

    return change_by_layer(bench, module, table, keep, change, tell)


def restored(module: ModuleOp, original: ModuleOp, names: Collection[str]) -> ModuleOp:
    """A copy of a fitted model in which these layers are as in the original."""
    copy = module.clone()
    for name in names:
        ours, theirs = (find_layer(model_of(m), name) for m in (copy, original))
        if not isinstance(ours, StaticInt8) or not isinstance(theirs, StaticInt8):
            continue  # only those are fitted
        ours.set_weights(weight=constant_before(ours, ours.weight, read(theirs.weight)))
        if ours.bias is not None:
            bias = np.zeros(theirs.num_output) if theirs.bias is None else read(theirs.bias)
            ours.set_weights(bias=constant_before(ours, ours.bias, bias.reshape(-1)))
    drop_unused(model_of(copy))
    return copy


def _fitted(
    bench: Bench,
    integers: ModuleOp,
    layer: Candidate,
    op: StaticInt8,
    table: ScaleTable,
    chosen: Sequence[int],
) -> tuple[Array, Array]:
    """The weight, of integers divided by scales, and the bias of a layer; those that it has where
    its input is not finite in one of the models."""
    weight = read(op.weight)
    outputs, groups = len(weight), op.group_count()
    rows = weight.reshape(outputs, -1)
    given = np.asarray(table.weights[layer.name, 0], "f4").astype("f8")
    scales = np.repeat(given, outputs // len(given))
    input_scale = np.float32(table.blobs[layer.name][0])
    columns = rows.shape[1]
    most = -(-max(PLACES * columns, FEWEST_PLACES) // len(chosen))
    seen, is_finite = Moments.of(groups, columns), True
    for floats, found in bench.pairs(integers, layer.bottom, chosen):
        is_finite = is_finite and bool(np.isfinite(floats).all() and np.isfinite(found).all())
        if not is_finite:
            continue  # the processes still answer for the other samples
        rounded = to_int8(found * input_scale).astype("f4") / input_scale
        seen.add(*(layer_windows(op, x, most) for x in (floats, rounded)))
    bias = np.zeros(outputs) if op.bias is None else read(op.bias).reshape(-1)
    if not is_finite:
        return weight, bias
    by_group = rows.reshape(groups, -1, columns)
    found_rows, shifts = fit(by_group, bias.reshape(groups, -1), scales.reshape(groups, -1), seen)
    fitted, shifted = found_rows.reshape(rows.shape), shifts.reshape(-1)
    # Rows stay as they are whose sums could become too large for the runtime, which are zeros, or
    # which float32 would not hold.
    nearest = to_int8((rows * scales[:, None]).astype("f4")).astype("f8")
    before, after = largest_sums(op, nearest), largest_sums(op, fitted)
    new_rows = fitted / scales[:, None]
    fits = fits_float32(new_rows).all(1) & fits_float32(shifted)
    stays = (after > np.maximum(before, op.largest_sum())) | ~rows.any(1) | ~fits
    chosen_rows = np.where(stays[:, None], rows, new_rows)
    return chosen_rows.reshape(weight.shape), np.where(stays, bias, shifted)
