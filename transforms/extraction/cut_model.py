"""The pass that keeps a part of a model."""

from dataclasses import dataclass, field
from typing import Self

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec

from ..rewriting.option_names import names_in
from ..rewriting.remarks import remark

_OPTIONS = {"from": "start", "to": "end"}


@dataclass(frozen=True)
class CutModel(ModulePass):
    """Keep a part of a model: the layers that depend on layer `from`, the layers that layer `to`
    needs, or, with both options, the layers between them. Both layers themselves are kept.

    - Inputs: the model's inputs that kept layers read, and each blob that a kept layer reads from a
      removed layer, under its name. If the removed layer is a Split, the Split's input instead.
    - Constants that kept layers read are kept: weights, MemoryData, and layers that depend on
      constants only.
    - Outputs: the model's outputs that kept layers write, and the blobs of kept layers that no kept
      layer reads. Outputs of a Split that only removed layers read are removed.

    ncnnoptimize cuts by the order of layers in the file instead, and the user must add inputs.
    """

    name = "cut-model"
    start: str | None = field(default=None, metadata={"option": "from"})
    end: str | None = field(default=None, metadata={"option": "to"})

    @classmethod
    def from_spec(cls, spec: ArgSpec) -> Self:
        """Raise `ValueError` for unknown options, or without options."""
        layers: dict[str, str] = {}
        for key, values in spec.parameters.items():
            if key not in _OPTIONS:
                raise ValueError(f"cut-model has the options from and to, not '{key}'")
            names = names_in(key, values)
            if len(names) != 1:
                raise ValueError(f"cut-model: {key} must be one layer, not {len(names)}")
            layers[_OPTIONS[key]] = names[0]
        if not layers:
            raise ValueError("cut-model needs from=LAYER, to=LAYER or both")
        return cls(**layers)

    def spec(self, *, include_default: bool = False) -> ArgSpec:
        own = super().spec(include_default=include_default)
        options = {field: option for option, field in _OPTIONS.items()}
        return ArgSpec(own.name, {options[key]: value for key, value in own.parameters.items()})

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.start is None and self.end is None:
            return
        from ...dialects.ncnn.lookup import model_of
        from .needed_layers import cut

        note = cut(model_of(op), self.start, self.end)
        bounds = [label for label in (self.start, self.end) if label is not None]
        remark(self.name, *bounds, note=note)
