"""What processors a model is made for, as a pass."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.passes import ModulePass

from ..analysis.target_info import ATTRIBUTE, CHOICES


@dataclass(frozen=True)
class Tune(ModulePass):
    """Let the passes that follow do what is fast on one family of processors (`processor=x86`,
    `processor=arm`), also where it is slow on another, or all that they can (`none`).

    The module has it as an attribute, which no file of ncnn's has a place for.
    """

    name = "ncnn-tune"
    processor: str

    def __post_init__(self) -> None:
        """Raises `ValueError` for what is no family."""
        if self.processor not in CHOICES:
            raise ValueError(f"processor is one of {', '.join(CHOICES)}, not '{self.processor}'")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        op.attributes[ATTRIBUTE] = StringAttr(self.processor)
