"""Passes that are more than patterns."""

from .row import Pattern, Row

FOLD_CONSTANTS = Row(
    "fold-constants",
    "Compute layers whose operands are all constants, unless one adds more than `limit` bytes to "
    "the weights",
    (Pattern("constant_folding.FoldConstants"),),
    place="transforms.fold_constants.FoldConstants",
)

OTHERS = (
    FOLD_CONSTANTS,
    Row(
        "cut-model",
        "Keep a part of a model: the layers that depend on layer `from`, or those that layer `to` "
        "needs, or with both those between",
        place="transforms.extraction.cut_model.CutModel",
    ),
    Row(
        "keep-blobs",
        "Make blobs outputs of the model, so that they stay there under their names whatever "
        "passes follow",
        place="transforms.extraction.keep_blob.KeepBlob",
    ),
    Row(
        "convert-storage",
        "Store float weights as float16 (`storage=fp16`) or float32 (`storage=fp32`), wherever the "
        "file has a tag that can say so; `keep` rounds nothing, `original` rounds what passes made "
        "of float16 to float16 again",
        place="transforms.storage.convert_storage.ConvertStorage",
    ),
    Row(
        "limit-growth",
        "Let the rewrites that follow make the weights at most `percent` percent larger in all; "
        "part of `-O`, with 1",
        place="transforms.limit_growth.LimitGrowth",
    ),
    Row(
        "quantize-weights",
        "Store weights as integers where the runtime needs no scale of the input for that: int8 in "
        "Gemm, MultiHeadAttention, RNN, LSTM, GRU and Embed, or in the first two `bits=4`, 6 or 8 "
        "in blocks of `block=32`, 64 or 128; `method` is minmax, mse, awq or gptq, the last two "
        "with `data`",
        place="transforms.quantization.quantize_weights.QuantizeWeights",
    ),
    Row(
        "eliminate-batches",
        "Replace batches of blobs that a model creates from its own axes by single blobs, as for "
        "the windows and heads of attention",
        place="transforms.batch_elimination.eliminate_batches.EliminateBatches",
    ),
    Row(
        "ncnn-infer-shapes",
        "Infer the shapes of all blobs from the shapes of the inputs, and write them to files as "
        "shape hints",
        place="transforms.infer_shapes.InferShapes",
    ),
    Row(
        "ncnn-specialize-shapes",
        "Specialize a model to the shapes of its inputs: static shapes (`fixed`) or largest shapes "
        '(`at_most`), each as `"in0:3x224x224"`, on which later passes rely',
        place="transforms.specialize_shapes.SpecializeShapes",
    ),
    Row(
        "ncnn-tune",
        "Let the passes that follow do what is fast on one family of processors "
        "(`processor=x86`, `processor=arm`), also where it is slow on another, or all that they "
        "can (`none`)",
        place="transforms.tune.Tune",
    ),
    Row(
        "ncnn-for-release",
        "Let the passes that follow make only layers and parameters that a release of the ncnn "
        "runtime has (`release=20240820`, `latest`); `own`, the default, is the oldest release "
        "that runs the model as it is",
        place="transforms.for_release.ForRelease",
    ),
    Row(
        "make-dynamic",
        "Make a model that was exported at a fixed input size accept any size along the axes "
        '`axes` (`"in0:h","in0:w"`)',
        place="transforms.dynamic_shapes.make_dynamic.MakeDynamic",
    ),
    Row(
        "insert-quantization",
        "Make Convolution, ConvolutionDepthWise and InnerProduct int8, with the scales of a "
        "`table` as ncnn2table writes it; layers of `keep` stay float (docs/quantize.md)",
        place="transforms.quantization.insert.InsertQuantization",
    ),
    Row(
        "replace-deconvolution-with-convolution",
        "Make a Deconvolution whose windows lie side by side a 1x1 Convolution, which the runtime "
        "has in int8, and a PixelShuffle",
        (Pattern("deconvolution.ReplaceDeconvolution", folder="transforms.quantization"),),
    ),
    Row(
        "fuse-requantize",
        "Let int8 convolutions hand int8 to the int8 layers that read them, where all of these "
        "take it with one scale (docs/quantize.md)",
        (Pattern("requantize.FuseRequantize", folder="transforms.quantization"),),
    ),
    Row(
        "convert-ncnn-to-fused",
        "Turn layers into operations of the `fused` dialect, and join element-wise ones with the "
        "convolution, linear layer or pooling before them (docs/fused.md)",
        place="conversion.ncnn_to_fused.ConvertNcnnToFused",
    ),
    Row(
        "convert-fused-to-ncnn",
        "Turn operations of the `fused` dialect back into layers (docs/fused.md): one layer with a "
        "fused activation where ncnn has one, several where it has not",
        place="conversion.fused_to_ncnn.ConvertFusedToNcnn",
    ),
    Row(
        "outline-host-tail",
        "Move layers that have no linalg form, and what follows them, into a model of its own that "
        "runs on the host (docs/native.md)",
        place="conversion.outline_host_tail.OutlineHostTail",
    ),
    Row(
        "convert-fused-to-linalg",
        "Turn operations of the `fused` dialect into linalg on tensors, convolutions as named "
        "operations (`conv=named`) or as the contractions that compile well (`conv=gemm`; "
        "docs/native.md)",
        place="conversion.to_linalg.ConvertFusedToLinalg",
    ),
    Row(
        "convert-ncnn-to-linalg",
        "Turn layers into linalg on tensors, by tracing their reference semantics; what has no "
        "such form stays, and a remark says why (docs/native.md)",
        place="conversion.to_linalg.ConvertNcnnToLinalg",
    ),
    Row(
        "externalize-weights",
        "Turn the constants of a model that was lowered to linalg into what other compilers read,"
        " stored as they were: `style=parameters` (`util.global` with named parameters of IREE; "
        "`file` and `offset` say where each of them lies), `style=args` (further arguments of the"
        " function), `style=resources` (`dense_resource`), `style=dense` (values in the text). "
        "What only our dialects read goes",
        place="conversion.externalize_weights.ExternalizeWeights",
    ),
)
