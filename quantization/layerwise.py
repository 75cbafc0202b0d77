"""Changing weights layer by layer, by the errors of the int8 model.

Bias correction and GPTQ share the order of the layers: each layer is fitted to inputs that contain
the effect of the changes before it.
"""

from collections.abc import Callable, Collection

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ..dialects.ncnn.int8 import StaticInt8
from ..dialects.ncnn.lookup import find_layer, model_of
from ..formats.scale_table import ScaleTable
from ..transforms.quantization.layer_weights import Array, read_constant
from .evaluator import Evaluator
from .int8_models import quantized
from .prepared import Candidate

OnProgress = Callable[[int, int], None]
"""Is called with the number of layers done, and of all layers."""
Change = Callable[[ModuleOp, Candidate, StaticInt8, StaticInt8], None]
"""Gives a layer other weights. The arguments are the int8 model with the changes so far, and the
layer, its float form and its int8 form."""


def change_layers(
    evaluator: Evaluator,
    module: ModuleOp,
    table: ScaleTable,
    keep: Collection[str],
    change: Change,
    on_progress: OnProgress,
) -> ModuleOp:
    """Return a copy of a float model with other weights in the layers that become int8 by a table.
    The layers change in the order of the model, in the copy and in its int8 form, so that each
    layer's input includes the changes of the layers before it."""
    module = module.clone()
    int8 = quantized(module, table, keep)
    layers = [c for c in evaluator.prepared.candidates if c.name in table.blobs]
    for done, layer in enumerate(layers):
        on_progress(done, len(layers))
        op, in_int8 = (find_layer(model_of(m), layer.name) for m in (module, int8))
        assert isinstance(op, StaticInt8)
        if isinstance(in_int8, StaticInt8) and in_int8.computes_int8():
            change(int8, layer, op, in_int8)
    return module


def bias_of(op: StaticInt8) -> Array:
    """Return the bias of a layer, zeros if it has none."""
    return np.zeros(op.num_output) if op.bias is None else read_constant(op.bias).reshape(-1)
