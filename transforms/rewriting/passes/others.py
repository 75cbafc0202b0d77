"""Passes that are no fusion, elimination, merge or replacement. Most have more than patterns."""

from .row import Pattern, Row

FOLD_CONSTANTS = Row(
    "fold-constants",
    "Compute layers whose operands are all constants, unless the result adds more than `limit` "
    "bytes to the weights",
    (Pattern("constant_folding.FoldConstants"),),
    class_path="transforms.fold_constants.FoldConstants",
)

OTHERS = (
    FOLD_CONSTANTS,
    Row(
        "cut-model",
        "Keep a part of a model: the layers that depend on layer `from`, the layers that layer "
        "`to` needs, or, with both options, the layers between them",
        class_path="transforms.extraction.cut_model.CutModel",
    ),
    Row(
        "keep-blobs",
        "Make blobs outputs of the model, so that later passes keep them and their names",
        class_path="transforms.extraction.keep_blob.KeepBlob",
    ),
    Row(
        "rename-model",
        'Rename inputs, outputs, blobs and layers (`names="old=new","old=new"`)',
        class_path="transforms.edits.rename_model.RenameModel",
    ),
    Row(
        "reorder-model",
        "Order the inputs and the outputs of a model (`inputs=a,b`, `outputs=x,y`); an input `a+b` "
        "is one Input layer with two blobs",
        class_path="transforms.edits.reorder_model.ReorderModel",
    ),
    Row(
        "insert-layers",
        "Insert layers that are given as lines of a `.param`: layers of metadata, or layers "
        "between two others",
        class_path="transforms.edits.insert_layers.InsertLayers",
    ),
    Row(
        "inputs-for-tables",
        "Make constant blobs that depend only on the number of steps inputs of the model: causal "
        "masks, cosines and sines of positions, positions",
        class_path="transforms.edits.inputs_for_tables.InputsForTables",
    ),
    Row(
        "join-models",
        "Join all functions of a module into one model: inputs read the outputs of their names, or "
        'those of `pairs` (`"out0=in0"`)',
        class_path="transforms.edits.join_models.JoinModels",
    ),
    Row(
        "interpolate-models",
        "Replace the functions of a module by the first one, with weights between theirs: "
        "`fractions` are those of the further functions",
        class_path="transforms.edits.interpolate_models.InterpolateModels",
    ),
    Row(
        "expand-custom-layers",
        "Replace each custom layer of some types by the layers of an equivalent model: the further "
        "functions of the module stand for the layers of `types`",
        class_path="transforms.edits.expand_custom.ExpandCustom",
    ),
    Row(
        "declare-custom-shapes",
        'Give custom layers shape functions, by type (`shapes="MyLayer=*(0w,2),*(0h,2),0c"`), so '
        "that shapes behind them are known",
        class_path="transforms.edits.declare_custom_shapes.DeclareCustomShapes",
    ),
    Row(
        "split-model",
        "Split a model into functions that follow each other: behind the layers that write the "
        "blobs `at`, so that the weights of each have at most `size` bytes, or into `parts`",
        class_path="transforms.edits.split_model.SplitModel",
    ),
    Row(
        "add-kv-cache",
        "Give the attention layers of a decoder caches of keys and values, as inputs and outputs "
        "with the `names` that runtimes of language models expect (docs/decoders.md)",
        class_path="transforms.caches.add_kv_cache.AddKVCache",
    ),
    Row(
        "fuse-kv-cache",
        "Replace a cache that a Concat appends to by the cache of the SDPA that reads it "
        "(docs/decoders.md)",
        class_path="transforms.caches.fuse_kv_cache.FuseKVCache",
    ),
    Row(
        "unfuse-kv-cache",
        "Replace the cache of an SDPA by a Concat that appends, so that the application may copy "
        "and save caches (docs/decoders.md)",
        class_path="transforms.caches.unfuse_kv_cache.UnfuseKVCache",
    ),
    Row(
        "unique-names",
        "Rename layers that have the name of a blob or of another layer, which Netron does not "
        "accept; blobs keep their names",
        class_path="transforms.unique_names.UniqueNames",
    ),
    Row(
        "convert-storage",
        "Store float weights as float16 (`storage=fp16`), bfloat16 (`bf16`) or float32 (`fp32`), "
        "wherever the file format allows it; `keep` rounds nothing; `original` rounds weights that "
        "passes computed from float16 weights back to float16",
        class_path="transforms.storage.convert_storage.ConvertStorage",
    ),
    Row(
        "limit-growth",
        "Allow later rewrites to make the weights at most `percent` percent larger in total; "
        "`-O` contains this pass with 1 percent",
        class_path="transforms.limit_growth.LimitGrowth",
    ),
    Row(
        "quantize-weights",
        "Store weights as integers, in layers that need no input scale: as int8 in Gemm, "
        "MultiHeadAttention, RNN, LSTM, GRU and Embed, or in Gemm and MultiHeadAttention with "
        "`bits=4`, 6 or 8 in blocks of `block=32`, 64 or 128; `method` is minmax, mse, awq or "
        "gptq; awq and gptq need `data`",
        class_path="transforms.quantization.quantize_weights.QuantizeWeights",
    ),
    Row(
        "eliminate-batches",
        "Replace computation on a batch that the model makes from an axis of one blob (the "
        "windows or heads of attention) by computation on one blob",
        class_path="transforms.batch_elimination.eliminate_batches.EliminateBatches",
    ),
    Row(
        "ncnn-infer-shapes",
        "Infer the shape of each blob from the shapes of the inputs, and write the shapes to "
        "the files as shape hints",
        class_path="transforms.infer_shapes.InferShapes",
    ),
    Row(
        "ncnn-specialize-shapes",
        "Specialize later passes to static input shapes (`fixed`) or to largest input shapes "
        '(`at_most`), each as `"in0:3x224x224"`',
        class_path="transforms.specialize_shapes.SpecializeShapes",
    ),
    Row(
        "ncnn-tune",
        "Tune later passes to one family of processors: apply rewrites that are fast there "
        "(`processor=x86`, `processor=arm`), even if they are slow elsewhere, or all rewrites "
        "(`none`)",
        class_path="transforms.tune.Tune",
    ),
    Row(
        "ncnn-for-release",
        "Allow later passes to create only layers and parameters that a release of the ncnn "
        "runtime supports (`release=20240820`, `latest`); `own`, the default, is the oldest "
        "release that can run the model",
        class_path="transforms.for_release.ForRelease",
    ),
    Row(
        "make-dynamic",
        "Make a model that was exported with a fixed input size accept other sizes: replace "
        'constants that depend on the input axes in `axes` (`"in0:h","in0:w"`) by expressions '
        "of these extents",
        class_path="transforms.dynamic_shapes.make_dynamic.MakeDynamic",
    ),
    Row(
        "insert-quantization",
        "Quantize Convolution, ConvolutionDepthWise and InnerProduct layers to int8, with the "
        "scales of a `table` in ncnn2table's format; layers in `keep` stay float "
        "(docs/quantize.md)",
        class_path="transforms.quantization.insert.InsertQuantization",
    ),
    Row(
        "replace-deconvolution-with-convolution",
        "Replace a Deconvolution whose windows do not overlap by a 1x1 Convolution, which the "
        "runtime supports in int8, and a PixelShuffle",
        (Pattern("deconvolution.ReplaceDeconvolution", folder="transforms.quantization"),),
    ),
    Row(
        "fuse-requantize",
        "Let int8 convolutions write int8 for the int8 layers that read them, where all these "
        "layers use the same scale (docs/quantize.md)",
        (Pattern("requantize.FuseRequantize", folder="transforms.quantization"),),
    ),
    Row(
        "convert-ncnn-to-fused",
        "Convert layers to operations of the `fused` dialect, and fuse element-wise layers into "
        "the convolution, linear layer or pooling before them (docs/fused.md)",
        class_path="conversion.ncnn_to_fused.ConvertNcnnToFused",
    ),
    Row(
        "convert-fused-to-ncnn",
        "Convert operations of the `fused` dialect back to layers (docs/fused.md): to one layer "
        "with a fused activation where ncnn has one, otherwise to several layers",
        class_path="conversion.fused_to_ncnn.ConvertFusedToNcnn",
    ),
    Row(
        "outline-host-tail",
        "Move layers that have no linalg form, and all layers that depend on them, into a "
        "separate model that runs on the host (docs/native.md)",
        class_path="conversion.outline_host_tail.OutlineHostTail",
    ),
    Row(
        "convert-fused-to-linalg",
        "Convert operations of the `fused` dialect to linalg on tensors: convolutions as named "
        "operations (`conv=named`), or as contractions, which compile to faster code "
        "(`conv=gemm`; docs/native.md)",
        class_path="conversion.to_linalg.ConvertFusedToLinalg",
    ),
    Row(
        "convert-ncnn-to-linalg",
        "Convert layers to linalg on tensors by tracing their reference semantics; a layer that "
        "cannot be converted stays, and a remark gives the reason (docs/native.md)",
        class_path="conversion.to_linalg.ConvertNcnnToLinalg",
    ),
    Row(
        "externalize-weights",
        "Convert the constants of a model in linalg to a form that other compilers can read, in "
        "their stored element type: `style=parameters` (`util.global` with IREE's named "
        "parameters; `file` and `offset` locate each constant), `style=args` (extra arguments "
        "of the function), `style=resources` (`dense_resource`), `style=dense` (values in the "
        "text). Attributes of our dialects are removed",
        class_path="conversion.externalize_weights.ExternalizeWeights",
    ),
)
