"""The layers of a model in memory as plain Python values.

They are in the order and form of a `.param`, which users know, and need no knowledge of xDSL.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from .values import Layer, reporting

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ncnn_opt.dialects.ncnn.layer import LayerOp
    from ncnn_opt.driver.run_model import Array


def layers_of(module: "ModuleOp", path: str) -> list[Layer]:
    """Return the layers in the order of the file. Raises `NcnnOptError` if the IR is no model."""
    from ncnn_opt.driver.model_contents import params_of, shapes_of_blobs
    from ncnn_opt.targets.param.export import export_module

    with reporting(path):
        found = export_module(module)
        shapes = shapes_of_blobs(module)
        layers: list[Layer] = []
        for i, r in enumerate(found.graph.layers):
            if r.type == "Split":  # the copies have the names of the file
                shapes |= dict.fromkeys(r.tops, shapes.get(r.bottoms[0]))
            reader = _Reader(path, found.makers[i]) if i in found.makers else None
            theirs = tuple(shapes.get(top) for top in r.tops)
            layers.append(Layer(r.type, r.name, r.bottoms, r.tops, params_of(r), reader, theirs))
        return layers


class _Reader:
    """A function that reads the weights of a layer."""

    def __init__(self, path: str, op: "LayerOp") -> None:
        self.path = path
        self.op = op

    def __call__(self) -> "Mapping[str, Array]":
        from ncnn_opt.driver.model_contents import weights_of

        with reporting(self.path):
            return weights_of(self.op)
