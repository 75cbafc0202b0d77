"""The conversion from the `ncnn` and `fused` dialects to `linalg`, `tensor`, `arith` and `math`."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

STYLES = ("named", "gemm", "flat")
"""How convolutions are written: as named operations; in the channels-last forms that compile well;
the same, with all pixels of a 1x1 convolution along one axis."""


def _check(conv: str) -> None:
    """Raise `ValueError` for an unknown style."""
    if conv not in STYLES:
        *words, last = STYLES
        raise ValueError(f"conv is {', '.join(words)} or {last}, not '{conv}'")


@dataclass(frozen=True)
class ConvertFusedToLinalg(ModulePass):
    """Turn operations of the `fused` dialect into linalg on tensors. Anchors become named
    operations (`conv=named`) or contractions that compile well (`conv=gemm`); epilogues become
    `linalg.generic` (docs/native.md). `conv=flat` is `gemm` with all pixels of a 1x1 convolution
    along one axis. An attribute `ncnn.form` of an operation names the `gemm` form of its
    convolution.

    If extents of inputs are unknown, the pass lowers layers too: only layers and fused operations
    define how their extents depend on the inputs' extents.
    """

    name = "convert-fused-to-linalg"

    conv: str = "named"

    def __post_init__(self) -> None:
        _check(self.conv)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from ...dialects.fused import FusedOp
        from .lowering import lower

        lower(op, (FusedOp,), self.name, self.conv)


@dataclass(frozen=True)
class ConvertNcnnToLinalg(ModulePass):
    """Turn layers into linalg on tensors by tracing their reference semantics. A layer without such
    a form stays; a remark names the reason (docs/native.md)."""

    name = "convert-ncnn-to-linalg"

    conv: str = "named"

    def __post_init__(self) -> None:
        _check(self.conv)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from ...dialects.ncnn.layer import LayerOp
        from .lowering import lower

        lower(op, (LayerOp,), self.name, self.conv)
