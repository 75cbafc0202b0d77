"""Passes between dialects, and on to linalg."""

from typing import TYPE_CHECKING

from .row import Rows

if TYPE_CHECKING:
    from xdsl.passes import ModulePass

CONVERSIONS = Rows()


@CONVERSIONS.add_class(
    "convert-ncnn-to-fused",
    "Convert layers to operations of the `fused` dialect, and fuse element-wise layers into "
    "the convolution, linear layer or pooling before them (docs/fused.md)",
)
def convert_ncnn_to_fused() -> "type[ModulePass]":
    from ....conversion.ncnn_to_fused.lowering import ConvertNcnnToFused

    return ConvertNcnnToFused


@CONVERSIONS.add_class(
    "convert-fused-to-ncnn",
    "Convert operations of the `fused` dialect back to layers (docs/fused.md): to one layer "
    "with a fused activation where ncnn has one, otherwise to several layers",
)
def convert_fused_to_ncnn() -> "type[ModulePass]":
    from ....conversion.fused_to_ncnn.lifting import ConvertFusedToNcnn

    return ConvertFusedToNcnn


@CONVERSIONS.add_class(
    "partition-host-ops",
    "Move layers that have no linalg form, and all layers that depend on them, into a "
    "separate model that runs on the host (docs/native.md)",
)
def partition_host_ops() -> "type[ModulePass]":
    from ....conversion.host_ops import PartitionHostOps

    return PartitionHostOps


@CONVERSIONS.add_class(
    "convert-to-linalg",
    "Convert operations of the `fused` dialect and layers to linalg on tensors in one pass: "
    "convolutions as named operations (`conv=named`), or as contractions, which compile to "
    "faster code (`conv=gemm`; docs/native.md)",
)
def convert_to_linalg() -> "type[ModulePass]":
    from ....conversion.to_linalg.lowering import ConvertToLinalg

    return ConvertToLinalg


@CONVERSIONS.add_class(
    "convert-fused-to-linalg",
    "Convert operations of the `fused` dialect to linalg on tensors: convolutions as named "
    "operations (`conv=named`), or as contractions, which compile to faster code "
    "(`conv=gemm`; docs/native.md)",
)
def convert_fused_to_linalg() -> "type[ModulePass]":
    from ....conversion.to_linalg.lowering import ConvertFusedToLinalg

    return ConvertFusedToLinalg


@CONVERSIONS.add_class(
    "convert-ncnn-to-linalg",
    "Convert layers to linalg on tensors by tracing their reference semantics; a layer that "
    "cannot be converted stays, and a remark gives the reason (docs/native.md)",
)
def convert_ncnn_to_linalg() -> "type[ModulePass]":
    from ....conversion.to_linalg.lowering import ConvertNcnnToLinalg

    return ConvertNcnnToLinalg


@CONVERSIONS.add_class(
    "externalize-weights",
    "Convert the constants of a model in linalg to a form that other compilers can read, in "
    "their stored element type: `style=parameters` (`util.global` with IREE's named "
    "parameters; `file` and `offset` locate each constant), `style=args` (extra arguments "
    "of the function), `style=resources` (`dense_resource`), `style=dense` (values in the "
    "text). Attributes of our dialects are removed",
)
def externalize_weights() -> "type[ModulePass]":
    from ....conversion.externalize_weights import ExternalizeWeights

    return ExternalizeWeights
