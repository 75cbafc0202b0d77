"""`ncnn` and `fused` → `linalg`, `tensor`, `arith` and `math`."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass


@dataclass(frozen=True)
class ConvertFusedToLinalg(ModulePass):
    """Turn operations of the `fused` dialect into linalg on tensors: anchors as named operations
    (`conv=named`) or as the contractions that compile well (`conv=gemm`), epilogues as
    `linalg.generic` (docs/native.md).

    Where the extents of inputs are not known, layers are lowered at once with them: only of layers
    and fused operations is it known how their extents follow from those of the inputs."""

    name = "convert-fused-to-linalg"

    conv: str = "named"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from ...dialects.fused import FusedOp
        from .lowering import lower

        lower(op, (FusedOp,), self.name, self.conv)


@dataclass(frozen=True)
class ConvertNcnnToLinalg(ModulePass):
    """Turn layers into linalg on tensors, by tracing their reference semantics; what has no such
    form stays, and a remark says why (docs/native.md)."""

    name = "convert-ncnn-to-linalg"

    conv: str = "named"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from ...dialects.ncnn.layer import LayerOp
        from .lowering import lower

        lower(op, (LayerOp,), self.name, self.conv)
