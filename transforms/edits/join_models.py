"""The pass that joins models into one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.arg_spec import ArgSpec

from ..rewriting.remarks import remark
from .edit import Edit, repeated
from .rename_model import parse_pair


@dataclass(frozen=True)
class JoinModels(Edit):
    """Join all functions of a module into one model: it computes all their outputs but those that
    another model reads.

    - Each of `pairs` is `OUTPUT=INPUT`: this input of a model is this output of the nearest model
      before it that has such an output.
    - Any other input is the output of this name of another model. If there is none, it is the input
      of this name of the models before it, which is then one input.
    - The models are put one behind the other in the given order, or in the order that their inputs
      need. Blobs of later models get new names if their names are in use.
    - `inputs` is the order of the inputs; by default their order in the models.

    The pass fails if models need each other's outputs, if two outputs have one name, or if nothing
    connects two models (`apart=true` allows it).
    """

    name = "join-models"
    LISTS: ClassVar[Sequence[str]] = ("pairs", "inputs", "apart")
    pairs: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise `ValueError` unless each pair is `OUTPUT=INPUT`."""
        for text in self.pairs:
            if not all(parse_pair(text)):
                raise ValueError(f"models are connected by OUTPUT=INPUT, not '{text}'")
        if (twice := repeated([parse_pair(text)[1] for text in self.pairs])) is not None:
            raise ValueError(f"two outputs are connected to input '{twice}'")
        if self.apart not in ((), ("true",), ("false",)):
            raise ValueError("apart is true or false")

    @classmethod
    def from_spec(cls, spec: ArgSpec) -> Self:
        """Raise `ValueError` for unknown options."""
        return super().from_spec(spec) if spec.parameters else cls()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from .joining import join

        count, notes = join(op, list(map(parse_pair, self.pairs)), self.apart == ("true",))
        if self.inputs:
            from ...dialects.ncnn.lookup import model_of
            from .ordering import groups_of, order_inputs, permute_inputs

            func = model_of(op)
            groups = groups_of(func, self.inputs)
            if any(len(group) > 1 for group in groups):
                order_inputs(func, groups)
            else:
                permute_inputs(func, [arg for group in groups for arg in group])
        remark(self.name, *notes, note=f"{count} models")
