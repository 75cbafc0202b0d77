"""Passes that rebuild layers that ncnn lacks from PNNX's own IR: docs/pnnx.md."""

from .row import Pattern, Row


def _row(name: str, help: str, pattern: str, place: str | None = None) -> Row:
    return Row(
        f"legalize-pnnx-{name}",
        help,
        (Pattern(pattern, folder="transforms.pnnx_legalization"),),
        class_path=place,
    )


REPAIRS = (
    Row(
        "convert-pnnx-to-ncnn",
        "Convert the PNNX graph in the module to layers, operator by operator, instead of the "
        "converter's own model",
        class_path="conversion.pnnx_to_ncnn.conversion_pass.ConvertPnnxToNcnn",
    ),
    Row(
        "restore-pnnx",
        "Replace layers that the runtime does not have by the operators of the PNNX graph in "
        "the module, and remove that graph",
        class_path="transforms.pnnx_legalization.pnnx_passes.RestorePnnx",
    ),
    _row("unbind", "Convert PNNX's `unbind` to Slice", "shape_operators.LegalizeUnbind"),
    _row("split", "Convert PNNX's `chunk` and `split` to Slice", "shape_operators.LegalizeSplit"),
    _row(
        "slice",
        "Convert PNNX's `x[a:b:step]` and `select` to Crop and Reshape",
        "shape_operators.LegalizeSlice",
    ),
    _row("join", "Convert PNNX's `cat` and `stack` to Concat", "shape_operators.LegalizeJoin"),
    _row(
        "permute",
        "Convert PNNX's `permute` and `transpose` of any rank to Reshape and Permute with at "
        "most four dimensions",
        "shape_operators.LegalizePermute",
    ),
    _row(
        "reshape",
        "Convert PNNX's `reshape`, `flatten`, `squeeze`, … to Reshape",
        "shape_operators.LegalizeReshape",
    ),
    _row("addcmul", "Convert PNNX's `addcmul` to BinaryOp", "arithmetic.LegalizeAddcmul"),
    _row(
        "expression",
        "Convert PNNX's expressions to BinaryOp and UnaryOp",
        "arithmetic.LegalizeExpression",
    ),
    _row(
        "normalize",
        "Convert PNNX's `normalize` along any axis to Reduction and BinaryOp",
        "arithmetic.LegalizeNormalize",
    ),
    _row(
        "convolution",
        "Convert PNNX's `conv2d` whose weights are operands to Convolution",
        "functional_convolution.LegalizeConvolution",
    ),
    _row(
        "batchnorm",
        "Convert PNNX's `BatchNorm1d` whose channel axis is not the blob's to a BatchNorm "
        "between Permutes",
        "batch_normalization.LegalizeBatchNorm",
    ),
    _row(
        "cast",
        "Convert the remaining casts between blobs to Reshape",
        "casts.LegalizeCast",
        "transforms.pnnx_legalization.pnnx_passes.LegalizePnnxCast",
    ),
    _row(
        "mask",
        "Convert an attention mask that PyTorch exports for several sequences to a batch of masks",
        "attention_masks.LegalizeMask",
    ),
)
"""Passes that need PNNX's IR, in the order that `--pnnx` uses."""

ALONE = (
    Row(
        "repair-unbind",
        "Convert a `torch.unbind` that PNNX left in the file to Slice, where exactly one axis "
        "has as many elements as the layer has outputs",
        (Pattern("repair_unbind.RepairUnbind", folder="transforms.pnnx_legalization"),),
    ),
    Row(
        "repair-cast",
        "Remove a cast that PNNX left in the file, where it converts between float types",
        (Pattern("repair_cast.RepairCast", folder="transforms.pnnx_legalization"),),
    ),
)
"""Passes that do not need PNNX's IR."""
