"""Biases that make up for the mean error of int8 (M. Nagel, M. van Baalen, T. Blankevoort,
M. Welling: Data-free quantization through weight equalization and bias correction, 2019), measured
on samples."""

from collections.abc import Callable, Collection, Sequence

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ..dialects.ncnn.int8 import StaticInt8
from ..dialects.ncnn.interfaces import LEAKY_RELU, RELU
from ..formats.scale_table import ScaleTable
from ..transforms.finding import find_layer, model_of
from .constants import constant_before, drop_unused, read
from .counts import Array
from .measuring import Bench, quantized


def correct_biases(
    bench: Bench,
    module: ModuleOp,
    table: ScaleTable,
    keep: Collection[str],
    chosen: Sequence[int],
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> ModuleOp:
    """A copy of a float model, a form of that of a bench, with other biases: that of each layer
    that becomes int8, in the order of the model, less the mean error of each channel of its output
    on the samples chosen. What layers before it have changed, with their new biases, is part of
    that error.

    An element that a ReLU has made 0 does not depend on the bias, and is left out of the mean: the
    rest is where the squares of the errors are least, as far as no other element becomes 0. Layers
    with other activations than a ReLU or LeakyReLU stay as they are.
    """
    module = module.clone()
    integers = quantized(module, table, keep, "")
    layers = [c for c in bench.prepared.candidates if c.name in table.blobs]
    for done, layer in enumerate(layers):
        tell(done, len(layers))
        pair = [find_layer(model_of(m), layer.name) for m in (module, integers)]
        for_int8 = pair[1]
        if not isinstance(for_int8, StaticInt8) or not for_int8.computes_int8():
            continue
        if for_int8.activation_type not in (0, RELU, LEAKY_RELU):
            continue
        rectified = for_int8.activation_type == RELU
        error = bench.mean_errors(integers, layer.top, for_int8.num_output, rectified, chosen)
        for op in pair:
            assert isinstance(op, StaticInt8)
            _subtract(op, error)
    for changed in (module, integers):
        drop_unused(model_of(changed))
    return module


def _subtract(op: StaticInt8, error: Array) -> None:
    """Subtracts from the bias of a layer, which may have none."""
    before = np.zeros(len(error)) if op.bias is None else read(op.bias).reshape(-1)
    op.set_weights(bias=constant_before(op, op.bias, before - error))
