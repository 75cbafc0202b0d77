"""Bias correction (M. Nagel, M. van Baalen, T. Blankevoort, M. Welling: Data-free quantization
through weight equalization and bias correction, 2019), measured on samples."""

from collections.abc import Collection, Sequence

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ..dialects.ncnn.int8 import StaticInt8
from ..dialects.ncnn.interfaces import LEAKY_RELU, RELU
from ..formats.scale_table import ScaleTable
from ..transforms.quantization.layer_weights import fits_float32, replace_weights
from .evaluator import Evaluator
from .layerwise import OnProgress, bias_of, change_layers
from .prepared import Candidate


def correct_biases(
    evaluator: Evaluator,
    module: ModuleOp,
    table: ScaleTable,
    keep: Collection[str],
    chosen: Sequence[int],
    on_progress: OnProgress = lambda done, total: None,
) -> ModuleOp:
    """Return a copy of a float model with corrected biases in the layers that become int8: each
    bias less the mean error of its channel on the chosen samples. Layers are corrected in the order
    of the model, so that errors include the effect of corrected layers before them.

    Elements that a ReLU sets to 0 do not depend on the bias and are left out of the mean. This
    minimizes the square error as long as no other element becomes 0. Layers with an activation
    other than ReLU or LeakyReLU do not change, nor do biases that float32 would not hold.
    """

    def correct(int8: ModuleOp, layer: Candidate, op: StaticInt8, in_int8: StaticInt8) -> None:
        if op.activation_type not in (0, RELU, LEAKY_RELU):
            return
        rectified = op.activation_type == RELU
        error = evaluator.mean_errors(int8, layer.top, op.num_output, rectified, chosen)
        for each in (op, in_int8):
            before = bias_of(each)
            after = before - error
            replace_weights(each, {"bias": np.where(fits_float32(after), after, before)})

    return change_layers(evaluator, module, table, keep, correct, on_progress)
