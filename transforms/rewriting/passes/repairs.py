"""What PNNX could not say in layers, from its own IR: docs/pnnx.md."""

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
        "Put operators of the PNNX graph in the module in the place of layers that the runtime "
        "does not have, and drop the graph",
        place="transforms.pnnx_legalization.pnnx_passes.RestorePnnx",
    ),
    _row("unbind", "`unbind` of PNNX as Slice", "shape_operators.LegalizeUnbind"),
    _row("split", "`chunk` and `split` of PNNX as Slice", "shape_operators.LegalizeSplit"),
    _row(
        "slice",
        "`x[a:b:step]` and `select` of PNNX as Crop and Reshape",
        "shape_operators.LegalizeSlice",
    ),
    _row("join", "`cat` and `stack` of PNNX as Concat", "shape_operators.LegalizeJoin"),
    _row(
        "permute",
        "`permute` and `transpose` of PNNX, of any rank, as Reshape and Permute of at most four "
        "dims",
        "shape_operators.LegalizePermute",
    ),
    _row(
        "reshape",
        "`reshape`, `flatten`, `squeeze`, … of PNNX as Reshape",
        "shape_operators.LegalizeReshape",
    ),
    _row("addcmul", "`addcmul` of PNNX as BinaryOp", "arithmetic.LegalizeAddcmul"),
    _row(
        "expression",
        "Expressions of PNNX as BinaryOp and UnaryOp",
        "arithmetic.LegalizeExpression",
    ),
    _row(
        "normalize",
        "`normalize` of PNNX along any axis as Reduction and BinaryOp",
        "arithmetic.LegalizeNormalize",
    ),
    _row(
        "convolution",
        "`conv2d` of PNNX whose weights are operands as Convolution",
        "functional_convolution.LegalizeConvolution",
    ),
    _row(
        "batchnorm",
        "`BatchNorm1d` of PNNX whose channels are not the blob's as BatchNorm between Permutes",
        "batch_normalization.LegalizeBatchNorm",
    ),
    _row(
        "cast",
        "Make Reshape of the casts that are left between blobs",
        "casts.LegalizeCast",
        "transforms.pnnx_legalization.pnnx_passes.LegalizePnnxCast",
    ),
    _row(
        "mask",
        "A mask of PyTorch's attention over several sequences as a batch of masks",
        "attention_masks.LegalizeMask",
    ),
)
"""In the order in which `--pnnx` runs them."""

ALONE = (
    Row(
        "repair-unbind",
        "`torch.unbind` that PNNX left as it was as Slice, where only one axis has as many "
        "elements as it makes blobs",
        (Pattern("repair_unbind.RepairUnbind", folder="transforms.pnnx_legalization"),),
    ),
)
"""What needs nothing of PNNX's own IR."""
