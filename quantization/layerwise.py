"""Weights that change by what int8 does to a model, a layer after the other."""

from collections.abc import Callable, Collection

from xdsl.dialects.builtin import ModuleOp

from ..dialects.ncnn.int8 import StaticInt8
from ..dialects.ncnn.lookup import find_layer, model_of
from ..formats.scale_table import ScaleTable
from .constants import drop_unused
from .evaluator import Bench
from .integers import quantized
from .prepared import Candidate

Tell = Callable[[int, int], None]
"""How many layers are done, of how many."""
Change = Callable[[ModuleOp, Candidate, StaticInt8, StaticInt8], None]
"""Gives a layer other weights: the int8 model as it is by then, and the layer in both forms."""


def change_by_layer(
    bench: Bench,
    module: ModuleOp,
    table: ScaleTable,
    keep: Collection[str],
    change: Change,
    tell: Tell,
) -> ModuleOp:
    """A copy of a float model, a form of that of a bench, in which the layers that become int8 by a
    table have other weights. They change in the order of the model, in it and in its int8 form, so
    that each one meets what those before it have become."""
    module = module.clone()
    integers = quantized(module, table, keep, "")
    layers = [c for c in bench.prepared.candidates if c.name in table.blobs]
    for done, layer in enumerate(layers):
        tell(done, len(layers))
        ours, in_int8 = (find_layer(model_of(m), layer.name) for m in (module, integers))
        assert isinstance(ours, StaticInt8)
        if isinstance(in_int8, StaticInt8) and in_int8.computes_int8():
            change(integers, layer, ours, in_int8)
    for changed in (module, integers):
        drop_unused(model_of(changed))
    return module
