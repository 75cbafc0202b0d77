"""The passes that repair exports of PNNX: docs/pnnx.md."""

from .row import Pattern, Row


def _row(name: str, help: str, pattern: str, place: str | None = None) -> Row:
    return Row(
        f"legalize-pnnx-{name}",
        help,
        (Pattern(pattern, folder="transforms.pnnx_legalization"),),
        place=place,
    )


REPAIRS = (
    Row(
        "restore-pnnx",
        "Replace layers that the runtime lacks by operators of the PNNX graph in the module, and "
        "remove the graph",
        place="transforms.pnnx_legalization.pnnx_passes.RestorePnnx",
    ),
    _row("unbind", "Replace `unbind` of PNNX by Slice", "shape_operators.LegalizeUnbind"),
    _row("split", "Replace `chunk` and `split` of PNNX by Slice", "shape_operators.LegalizeSplit"),
    _row(
        "slice",
        "Replace `x[a:b:step]` and `select` of PNNX by Crop and Reshape",
        "shape_operators.LegalizeSlice",
    ),
    _row("join", "Replace `cat` and `stack` of PNNX by Concat", "shape_operators.LegalizeJoin"),
    _row(
        "permute",
        "Replace `permute` and `transpose` of PNNX, of any rank, by Reshape and Permute of at most "
        "four dims",
        "shape_operators.LegalizePermute",
    ),
    _row(
        "reshape",
        "Replace `reshape`, `flatten`, `squeeze`, … of PNNX by Reshape",
        "shape_operators.LegalizeReshape",
    ),
    _row("addcmul", "Replace `addcmul` of PNNX by BinaryOp", "arithmetic.LegalizeAddcmul"),
    _row(
        "expression",
        "Replace expressions of PNNX by BinaryOp and UnaryOp",
        "arithmetic.LegalizeExpression",
    ),
    _row(
        "normalize",
        "Replace `normalize` of PNNX along any axis by Reduction and BinaryOp",
        "arithmetic.LegalizeNormalize",
    ),
    _row(
        "convolution",
        "Replace `conv2d` of PNNX whose weights are operands by Convolution",
        "functional_convolution.LegalizeConvolution",
    ),
    _row(
        "batchnorm",
        "Replace `BatchNorm1d` of PNNX along another axis than the blob's channels by BatchNorm "
        "between Permutes",
        "batch_normalization.LegalizeBatchNorm",
    ),
    _row(
        "cast",
        "Replace the remaining casts between blobs by Reshape",
        "casts.LegalizeCast",
        "transforms.pnnx_legalization.pnnx_passes.LegalizePnnxCast",
    ),
    _row(
        "mask",
        "Make the mask of PyTorch's attention on several sequences a batch of masks",
        "attention_masks.LegalizeMask",
    ),
)
"""The passes of `--pnnx`, in order."""

ALONE = (
    Row(
        "repair-unbind",
        "Replace `torch.unbind` that PNNX did not convert by Slice, if the extent of exactly one "
        "axis is the number of its results",
        (Pattern("repair_unbind.RepairUnbind", folder="transforms.pnnx_legalization"),),
    ),
)
"""The passes that do not need PNNX's own IR."""
