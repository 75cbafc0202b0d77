"""Passes that rebuild layers that ncnn lacks from PNNX's own IR: docs/pnnx.md."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from .row import Rows

if TYPE_CHECKING:
    from xdsl.passes import ModulePass

    from .row import Patterns

REPAIRS = Rows()
"""Passes that need PNNX's IR, in the order that `--pnnx` uses."""


def _row(name: str, help: str) -> "Callable[[Callable[[], Patterns]], Callable[[], Patterns]]":
    return REPAIRS.add(f"legalize-pnnx-{name}", help)


@REPAIRS.add_class(
    "convert-pnnx-to-ncnn",
    "Convert the PNNX graph in the module to layers, operator by operator, instead of the "
    "converter's own model",
)
def convert_pnnx_to_ncnn() -> "type[ModulePass]":
    from ....conversion.pnnx_to_ncnn.conversion_pass import ConvertPnnxToNcnn

    return ConvertPnnxToNcnn


@REPAIRS.add_class(
    "restore-pnnx",
    "Replace layers that the runtime does not have by the operators of the PNNX graph in "
    "the module, and remove that graph",
)
def restore_pnnx() -> "type[ModulePass]":
    from ...pnnx_legalization.pnnx_passes import RestorePnnx

    return RestorePnnx


@_row("unbind", "Convert PNNX's `unbind` to Slice")
def legalize_unbind() -> "Patterns":
    from ...pnnx_legalization.shape_operators import LegalizeUnbind

    return [LegalizeUnbind()]


@_row("split", "Convert PNNX's `chunk` and `split` to Slice")
def legalize_split() -> "Patterns":
    from ...pnnx_legalization.shape_operators import LegalizeSplit

    return [LegalizeSplit()]


@_row("slice", "Convert PNNX's `x[a:b:step]` and `select` to Crop and Reshape")
def legalize_slice() -> "Patterns":
    from ...pnnx_legalization.shape_operators import LegalizeSlice

    return [LegalizeSlice()]


@_row("join", "Convert PNNX's `cat` and `stack` to Concat")
def legalize_join() -> "Patterns":
    from ...pnnx_legalization.shape_operators import LegalizeJoin

    return [LegalizeJoin()]


@_row(
    "permute",
    "Convert PNNX's `permute` and `transpose` of any rank to Reshape and Permute with at "
    "most four dimensions",
)
def legalize_permute() -> "Patterns":
    from ...pnnx_legalization.shape_operators import LegalizePermute

    return [LegalizePermute()]


@_row("reshape", "Convert PNNX's `reshape`, `flatten`, `squeeze`, … to Reshape")
def legalize_reshape() -> "Patterns":
    from ...pnnx_legalization.shape_operators import LegalizeReshape

    return [LegalizeReshape()]


@_row("addcmul", "Convert PNNX's `addcmul` to BinaryOp")
def legalize_addcmul() -> "Patterns":
    from ...pnnx_legalization.arithmetic import LegalizeAddcmul

    return [LegalizeAddcmul()]


@_row("expression", "Convert PNNX's expressions to BinaryOp and UnaryOp")
def legalize_expression() -> "Patterns":
    from ...pnnx_legalization.arithmetic import LegalizeExpression

    return [LegalizeExpression()]


@_row("normalize", "Convert PNNX's `normalize` along any axis to Reduction and BinaryOp")
def legalize_normalize() -> "Patterns":
    from ...pnnx_legalization.arithmetic import LegalizeNormalize

    return [LegalizeNormalize()]


@_row("convolution", "Convert PNNX's `conv2d` whose weights are operands to Convolution")
def legalize_convolution() -> "Patterns":
    from ...pnnx_legalization.functional_convolution import LegalizeConvolution

    return [LegalizeConvolution()]


@_row(
    "batchnorm",
    "Convert PNNX's `BatchNorm1d` whose channel axis is not the blob's to a BatchNorm "
    "between Permutes",
)
def legalize_batchnorm() -> "Patterns":
    from ...pnnx_legalization.batch_normalization import LegalizeBatchNorm

    return [LegalizeBatchNorm()]


def _legalize_pnnx_cast_patterns() -> "Patterns":
    from ...pnnx_legalization.casts import LegalizeCast

    return [LegalizeCast()]


@REPAIRS.add_class(
    "legalize-pnnx-cast",
    "Convert the remaining casts between blobs to Reshape",
    _legalize_pnnx_cast_patterns,
)
def legalize_pnnx_cast() -> "type[ModulePass]":
    from ...pnnx_legalization.pnnx_passes import LegalizePnnxCast

    return LegalizePnnxCast


@_row(
    "mask",
    "Convert an attention mask that PyTorch exports for several sequences to a batch of masks",
)
def legalize_mask() -> "Patterns":
    from ...pnnx_legalization.attention_masks import LegalizeMask

    return [LegalizeMask()]


ALONE = Rows()
"""Passes that do not need PNNX's IR."""


@ALONE.add(
    "repair-unbind",
    "Convert a `torch.unbind` that PNNX left in the file to Slice, where exactly one axis "
    "has as many elements as the layer has outputs",
)
def repair_unbind() -> "Patterns":
    from ...pnnx_legalization.repair_unbind import RepairUnbind

    return [RepairUnbind()]


@ALONE.add(
    "repair-cast", "Remove a cast that PNNX left in the file, where it converts between float types"
)
def repair_cast() -> "Patterns":
    from ...pnnx_legalization.repair_cast import RepairCast

    return [RepairCast()]
