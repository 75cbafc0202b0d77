"""Biases that make up for the mean error of int8 (M. Nagel, M. van Baalen, T. Blankevoort,
M. Welling: Data-free quantization through weight equalization and bias correction, 2019), measured
on samples."""

from collections.abc import Collection, Sequence

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ..dialects.ncnn.int8 import StaticInt8
from ..dialects.ncnn.interfaces import LEAKY_RELU, RELU
from ..formats.scale_table import ScaleTable
from .by_layer import Tell, change_by_layer
from .constants import constant_before, fits_float32, read
from .counts import Array
from .measuring import Bench
from .prepared import Candidate


def correct_biases(
    bench: Bench,
    module: ModuleOp,
    table: ScaleTable,
    keep: Collection[str],
    chosen: Sequence[int],
    tell: Tell = lambda done, total: None,
) -> ModuleOp:
    """A copy of a float model, a form of that of a bench, with other biases: that of each layer
    that becomes int8, in the order of the model, less the mean error of each channel of its output
    on the samples chosen. What layers before it have changed, with their new biases, is part of
    that error.

    An element that a ReLU has made 0 does not depend on the bias, and is left out of the mean: the
    rest is where the squares of the errors are least, as far as no other element becomes 0. Layers
    with other activations than a ReLU or LeakyReLU stay as they are.
    """

    def change(integers: ModuleOp, layer: Candidate, ours: StaticInt8, in_int8: StaticInt8) -> None:
        if ours.activation_type not in (0, RELU, LEAKY_RELU):
            return
        rectified = ours.activation_type == RELU
        error = bench.mean_errors(integers, layer.top, ours.num_output, rectified, chosen)
        for op in (ours, in_int8):
            _subtract(op, error)

    return change_by_layer(bench, module, table, keep, change, tell)


def _subtract(op: StaticInt8, error: Array) -> None:
    """Subtracts from the bias of a layer, which may have none, where float32 holds the result."""
    before = np.zeros(len(error)) if op.bias is None else read(op.bias).reshape(-1)
    after = before - error
    op.set_weights(bias=constant_before(op, op.bias, np.where(fits_float32(after), after, before)))
