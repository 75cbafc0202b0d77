"""The pass that sets the family of processors to tune for."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.passes import ModulePass

from ..analysis.target_info import ATTRIBUTE, CHOICES, parse_choices


@dataclass(frozen=True)
class Tune(ModulePass):
    """Tune later passes to one family of processors: apply rewrites that are fast there
    (`processor=x86`, `processor=arm`), even if they are slow elsewhere, or all rewrites (`none`).
    A choice can also be for one rewrite: `processor="sdpa=x86,padding=none"`.

    The pass stores the family in an attribute of the module. ncnn's files cannot store it.
    """

    name = "ncnn-tune"
    processor: str

    def __post_init__(self) -> None:
        """Raise `ValueError` for an unknown family."""
        if self.processor not in CHOICES and parse_choices(self.processor) is None:
            choices = ", ".join(CHOICES)
            raise ValueError(f"processor must be one of {choices}, not '{self.processor}'")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        op.attributes[ATTRIBUTE] = StringAttr(self.processor)
