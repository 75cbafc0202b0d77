"""The conversion from the `ncnn` and `fused` dialects to `linalg`, `tensor`, `arith` and `math`."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from .processors import DEFAULT, PROCESSORS

STYLES = ("named", "gemm")
"""How convolutions are written: as named operations, or in the channels-last forms that compile
well."""


@dataclass(frozen=True)
class _ToLinalg(ModulePass):
    conv: str = "named"
    processor: str = DEFAULT

    def __post_init__(self) -> None:
        """Raise `ValueError` for an unknown style or processor."""
        known = {"conv": (self.conv, STYLES), "processor": (self.processor, PROCESSORS)}
        for name, (value, names) in known.items():
            if value not in names:
                *words, last = names
                raise ValueError(f"{name} is {', '.join(words)} or {last}, not '{value}'")


@dataclass(frozen=True)
class ConvertToLinalg(_ToLinalg):
    """Convert operations of the `fused` dialect and layers to linalg on tensors in one pass: each
    operation reads channels-last copies if the operation before it writes some (`conv=gemm`).
    `convert-fused-to-linalg` and `convert-ncnn-to-linalg` convert one of both kinds each, with the
    same options; one after the other they write more transpositions."""

    name = "convert-to-linalg"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from .lowering import EVERY_KIND, lower

        lower(op, EVERY_KIND, self.name, self.conv, self.processor)


@dataclass(frozen=True)
class ConvertFusedToLinalg(_ToLinalg):
    """Convert operations of the `fused` dialect to linalg on tensors: anchors as named operations
    (`conv=named`) or as contractions, which compile to faster code (`conv=gemm`), epilogues as
    `linalg.generic` (docs/native.md). An attribute `ncnn.form` on an operation says which of the
    forms of `gemm` its convolution has; otherwise it has the fastest one for the vector
    instructions of `processor`.

    If extents of inputs are unknown, the pass lowers layers too: only layers and fused operations
    define how their extents depend on the inputs' extents.
    """

    name = "convert-fused-to-linalg"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from ...dialects.fused import FusedOp
        from .lowering import lower

        lower(op, (FusedOp,), self.name, self.conv, self.processor)


@dataclass(frozen=True)
class ConvertNcnnToLinalg(_ToLinalg):
    """Convert layers to linalg on tensors by tracing their reference semantics; a layer that cannot
    be converted stays, and a remark gives the reason (docs/native.md)."""

    name = "convert-ncnn-to-linalg"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from ...dialects.ncnn.layer import LayerOp
        from .lowering import lower

        lower(op, (LayerOp,), self.name, self.conv, self.processor)
