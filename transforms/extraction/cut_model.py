"""A part of a model as a model of its own."""

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
    """Keep a part of a model: the layers that depend on layer `from`, or those that layer `to`
    needs, or with both those between. Both layers themselves are kept.

    - Inputs are the blobs that the kept layers read from outside, under their names; the inputs of
      the model that they read stay. A Split outside is looked through: the input is what it splits.
    - Constants stay with those that read them: weights, MemoryData, and layers that depend on
      nothing else.
    - Outputs are those of the model that are made by kept layers, and the blobs of kept layers that
      no kept layer reads. Outputs of a Split that only dropped layers read are gone.

    ncnnoptimize cuts by the order of the file instead, and leaves it to the user to add inputs.
    """

    name = "cut-model"
    start: str | None = field(default=None, metadata={"option": "from"})
    end: str | None = field(default=None, metadata={"option": "to"})

    @classmethod
    def from_spec(cls, spec: ArgSpec) -> Self:
        """Raises `ValueError` for other options, or none."""
        layers: dict[str, str] = {}
        for key, values in spec.parameters.items():
            if key not in _OPTIONS:
                raise ValueError(f"cut-model has the options from and to, not '{key}'")
            names = names_in(key, values)
            if len(names) != 1:
                raise ValueError(f"cut-model: {key} is one layer, not {len(names)}")
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
        from .cutting import cut

        note = cut(model_of(op), self.start, self.end)
        bounds = [label for label in (self.start, self.end) if label is not None]
        remark(self.name, *bounds, note=note)
