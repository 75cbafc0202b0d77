"""Layers in int8 whose weights and biases are fitted to what they compute in float.

`gptaq.py` has the algebra of one layer. Here samples are read, layers change in order, and rows of
weights that cannot change are left as they are.
"""

from collections.abc import Collection, Sequence

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ..dialects.ncnn.int8 import StaticInt8
from ..dialects.ncnn.lookup import find_layer, model_of
from ..formats.scale_table import ScaleTable
from ..interpreters.ncnn.int8 import to_int8
from ..transforms.quantization.layer_weights import fits_float32, read_constant, replace_weights
from .evaluator import Evaluator
from .gptaq import Moments, fit, layer_windows
from .histograms import Array
from .layerwise import OnProgress, bias_of, change_layers
from .prepared import Candidate
from .scales import largest_sums

MAX_COLUMNS = 1 << 13
"""A layer whose weight has longer rows does not change: the matrix of products would be too
large."""
WINDOWS_PER_COLUMN = 4
"""Windows that are read for each element of a row, if there are as many."""
LEAST_WINDOWS = 1 << 12
"""Windows that are read at least, if there are as many."""


def fit_weights(
    evaluator: Evaluator,
    module: ModuleOp,
    table: ScaleTable,
    keep: Collection[str],
    chosen: Sequence[int],
    on_progress: OnProgress = lambda done, total: None,
) -> ModuleOp:
    """Return a copy of a float model with fitted weights and biases in the layers that become int8.
    The weights are integers divided by the scales of the table, so that they are rounded to these
    integers. Layers are fitted in the order of the model, on the chosen samples, each with the
    input that the fitted int8 layers before it make.
    """

    def fit_layer(int8: ModuleOp, layer: Candidate, op: StaticInt8, in_int8: StaticInt8) -> None:
        if read_constant(op.weight)[0].size > MAX_COLUMNS:
            return
        weight, bias = _fitted(evaluator, int8, layer, op, table, chosen)
        scales = np.asarray(table.weights[layer.name, 0], "f4")
        in_rows = weight.reshape(len(scales), -1) * scales[:, None]
        rounded = to_int8(in_rows.astype("f4")).reshape(weight.shape)
        replace_weights(op, {"weight": weight, "bias": bias})
        replace_weights(in_int8, {"weight": rounded, "bias": bias})

    return change_layers(evaluator, module, table, keep, fit_layer, on_progress)


def restored(module: ModuleOp, original: ModuleOp, names: Collection[str]) -> ModuleOp:
    """Return a copy of a fitted model with the original weights in these layers."""
    copy = module.clone()
    for name in names:
        ours, theirs = (find_layer(model_of(m), name) for m in (copy, original))
        if not isinstance(ours, StaticInt8) or not isinstance(theirs, StaticInt8):
            continue  # only those are fitted
        weights = {"weight": read_constant(theirs.weight)}
        if ours.bias is not None:
            weights["bias"] = bias_of(theirs)
        replace_weights(ours, weights)
    return copy


def _fitted(
    evaluator: Evaluator,
    int8: ModuleOp,
    layer: Candidate,
    op: StaticInt8,
    table: ScaleTable,
    chosen: Sequence[int],
) -> tuple[Array, Array]:
    """Return the weight (integers divided by scales) and the bias of a layer; the weight and bias
    that it has if its input is not finite in one of the models."""
    weight = read_constant(op.weight)
    outputs, groups = len(weight), op.group_count()
    rows = weight.reshape(outputs, -1)
    given = np.asarray(table.weights[layer.name, 0], "f4").astype("f8")
    scales = np.repeat(given, outputs // len(given))
    input_scale = np.float32(table.blobs[layer.name][0])
    columns = rows.shape[1]
    most = -(-max(WINDOWS_PER_COLUMN * columns, LEAST_WINDOWS) // len(chosen))
    seen, is_finite = Moments.of(groups, columns), True
    for floats, found in evaluator.pairs(int8, layer.bottom, chosen):
        is_finite = is_finite and bool(np.isfinite(floats).all() and np.isfinite(found).all())
        if not is_finite:
            continue  # the processes still answer for the other samples
        rounded = to_int8(found * input_scale).astype("f4") / input_scale
        seen.add(*(layer_windows(op, x, most) for x in (floats, rounded)))
    bias = bias_of(op)
    if not is_finite:
        return weight, bias
    by_group = rows.reshape(groups, -1, columns)
    found_rows, shifts = fit(by_group, bias.reshape(groups, -1), scales.reshape(groups, -1), seen)
    fitted, shifted = found_rows.reshape(rows.shape), shifts.reshape(-1)
    # Rows of zeros, rows whose sums the runtime may not hold, and rows that float32 would not hold
    # do not change.
    nearest = to_int8((rows * scales[:, None]).astype("f4")).astype("f8")
    before, after = largest_sums(op, nearest), largest_sums(op, fitted)
    new_rows = fitted / scales[:, None]
    fits = fits_float32(new_rows).all(1) & fits_float32(shifted)
    stays = (after > np.maximum(before, op.largest_sum())) | ~rows.any(1) | ~fits
    chosen_rows = np.where(stays[:, None], rows, new_rows)
    return chosen_rows.reshape(weight.shape), np.where(stays, bias, shifted)
