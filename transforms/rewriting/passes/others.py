"""Passes that are no fusion, elimination, merge or replacement. Most have more than patterns."""

from typing import TYPE_CHECKING

from .row import Rows

if TYPE_CHECKING:
    from xdsl.passes import ModulePass

    from .row import Patterns

OTHERS = Rows()


def _fold_constants_patterns() -> "Patterns":
    from ...canonicalization.constant_folding import FoldConstants

    return [FoldConstants()]


@OTHERS.add_class(
    "fold-constants",
    "Compute layers whose operands are all constants, unless the result adds more than `limit` "
    "bytes to the weights",
    _fold_constants_patterns,
)
def fold_constants() -> "type[ModulePass]":
    from ...fold_constants import FoldConstants

    return FoldConstants


@OTHERS.add_class(
    "cut-model",
    "Keep a part of a model: the layers that depend on layer `from`, the layers that layer "
    "`to` needs, or, with both options, the layers between them",
)
def cut_model() -> "type[ModulePass]":
    from ...extraction.cut_model import CutModel

    return CutModel


@OTHERS.add_class(
    "keep-blobs", "Make blobs outputs of the model, so that later passes keep them and their names"
)
def keep_blobs() -> "type[ModulePass]":
    from ...extraction.keep_blob import KeepBlob

    return KeepBlob


@OTHERS.add_class(
    "rename-model", 'Rename inputs, outputs, blobs and layers (`names="old=new","old=new"`)'
)
def rename_model() -> "type[ModulePass]":
    from ...edits.rename_model import RenameModel

    return RenameModel


@OTHERS.add_class(
    "reorder-model",
    "Order the inputs and the outputs of a model (`inputs=a,b`, `outputs=x,y`); an input `a+b` "
    "is one Input layer with two blobs",
)
def reorder_model() -> "type[ModulePass]":
    from ...edits.reorder_model import ReorderModel

    return ReorderModel


@OTHERS.add_class(
    "insert-layers",
    "Insert layers that are given as lines of a `.param`: layers of metadata, or layers "
    "between two others",
)
def insert_layers() -> "type[ModulePass]":
    from ...edits.insert_layers import InsertLayers

    return InsertLayers


@OTHERS.add_class(
    "inputs-for-tables",
    "Make constant blobs that depend only on the number of steps inputs of the model: causal "
    "masks, cosines and sines of positions, positions",
)
def inputs_for_tables() -> "type[ModulePass]":
    from ...edits.inputs_for_tables import InputsForTables

    return InputsForTables


@OTHERS.add_class(
    "join-models",
    "Join all functions of a module into one model: inputs read the outputs of their names, or "
    'those of `pairs` (`"out0=in0"`)',
)
def join_models() -> "type[ModulePass]":
    from ...edits.join_models import JoinModels

    return JoinModels


@OTHERS.add_class(
    "interpolate-models",
    "Replace the functions of a module by the first one, with weights between theirs: "
    "`fractions` are those of the further functions",
)
def interpolate_models() -> "type[ModulePass]":
    from ...edits.interpolate_models import InterpolateModels

    return InterpolateModels


@OTHERS.add_class(
    "expand-custom-layers",
    "Replace each custom layer of some types by the layers of an equivalent model: the further "
    "functions of the module stand for the layers of `types`",
)
def expand_custom_layers() -> "type[ModulePass]":
    from ...edits.expand_custom import ExpandCustom

    return ExpandCustom


@OTHERS.add_class(
    "declare-custom-shapes",
    'Give custom layers shape functions, by type (`shapes="MyLayer=*(0w,2),*(0h,2),0c"`), so '
    "that shapes behind them are known",
)
def declare_custom_shapes() -> "type[ModulePass]":
    from ...edits.declare_custom_shapes import DeclareCustomShapes

    return DeclareCustomShapes


@OTHERS.add_class(
    "split-model",
    "Split a model into functions that follow each other: behind the layers that write the "
    "blobs `at`, so that the weights of each have at most `size` bytes, or into `parts`",
)
def split_model() -> "type[ModulePass]":
    from ...edits.split_model import SplitModel

    return SplitModel


@OTHERS.add_class(
    "add-kv-cache",
    "Give the attention layers of a decoder caches of keys and values, as inputs and outputs "
    "with the `names` that runtimes of language models expect (docs/decoders.md)",
)
def add_kv_cache() -> "type[ModulePass]":
    from ...caches.add_kv_cache import AddKVCache

    return AddKVCache


@OTHERS.add_class(
    "fuse-kv-cache",
    "Replace a cache that a Concat appends to by the cache of the SDPA that reads it "
    "(docs/decoders.md)",
)
def fuse_kv_cache() -> "type[ModulePass]":
    from ...caches.fuse_kv_cache import FuseKVCache

    return FuseKVCache


@OTHERS.add_class(
    "unfuse-kv-cache",
    "Replace the cache of an SDPA by a Concat that appends, so that the application may copy "
    "and save caches (docs/decoders.md)",
)
def unfuse_kv_cache() -> "type[ModulePass]":
    from ...caches.unfuse_kv_cache import UnfuseKVCache

    return UnfuseKVCache


@OTHERS.add_class(
    "unique-names",
    "Rename layers that have the name of a blob or of another layer, which Netron does not "
    "accept; blobs keep their names",
)
def unique_names() -> "type[ModulePass]":
    from ...unique_names import UniqueNames

    return UniqueNames


@OTHERS.add_class(
    "convert-storage",
    "Store float weights as float16 (`storage=fp16`), bfloat16 (`bf16`) or float32 (`fp32`), "
    "wherever the file format allows it; `keep` rounds nothing; `original` rounds weights that "
    "passes computed from float16 weights back to float16",
)
def convert_storage() -> "type[ModulePass]":
    from ...storage.convert_storage import ConvertStorage

    return ConvertStorage


@OTHERS.add_class(
    "limit-growth",
    "Allow later rewrites to make the weights at most `percent` percent larger in total; "
    "`-O` contains this pass with 1 percent",
)
def limit_growth() -> "type[ModulePass]":
    from ...limit_growth import LimitGrowth

    return LimitGrowth


@OTHERS.add_class(
    "quantize-weights",
    "Store weights as integers, in layers that need no input scale: as int8 in Gemm, "
    "MultiHeadAttention, RNN, LSTM, GRU and Embed, or in Gemm and MultiHeadAttention with "
    "`bits=4`, 6 or 8 in blocks of `block=32`, 64 or 128; `method` is minmax, mse, awq or "
    "gptq; awq and gptq need `data`",
)
def quantize_weights() -> "type[ModulePass]":
    from ...quantization.quantize_weights import QuantizeWeights

    return QuantizeWeights


@OTHERS.add_class(
    "eliminate-batches",
    "Replace computation on a batch that the model makes from an axis of one blob (the "
    "windows or heads of attention) by computation on one blob",
)
def eliminate_batches() -> "type[ModulePass]":
    from ...batch_elimination.eliminate_batches import EliminateBatches

    return EliminateBatches


@OTHERS.add_class(
    "ncnn-infer-shapes",
    "Infer the shape of each blob from the shapes of the inputs, and write the shapes to "
    "the files as shape hints",
)
def ncnn_infer_shapes() -> "type[ModulePass]":
    from ...infer_shapes import InferShapes

    return InferShapes


@OTHERS.add_class(
    "ncnn-specialize-shapes",
    "Specialize later passes to static input shapes (`fixed`) or to largest input shapes "
    '(`at_most`), each as `"in0:3x224x224"`',
)
def ncnn_specialize_shapes() -> "type[ModulePass]":
    from ...specialize_shapes import SpecializeShapes

    return SpecializeShapes


@OTHERS.add_class(
    "ncnn-tune",
    "Tune later passes to one family of processors: apply rewrites that are fast there "
    "(`processor=x86`, `processor=arm`), even if they are slow elsewhere, or all rewrites "
    "(`none`)",
)
def ncnn_tune() -> "type[ModulePass]":
    from ...tune import Tune

    return Tune


@OTHERS.add_class(
    "ncnn-for-release",
    "Allow later passes to create only layers and parameters that a release of the ncnn "
    "runtime supports (`release=20240820`, `latest`); `own`, the default, is the oldest "
    "release that can run the model",
)
def ncnn_for_release() -> "type[ModulePass]":
    from ...for_release import ForRelease

    return ForRelease


@OTHERS.add_class(
    "make-dynamic",
    "Make a model that was exported with a fixed input size accept other sizes: replace "
    'constants that depend on the input axes in `axes` (`"in0:h","in0:w"`) by expressions '
    "of these extents",
)
def make_dynamic() -> "type[ModulePass]":
    from ...dynamic_shapes.make_dynamic import MakeDynamic

    return MakeDynamic


@OTHERS.add_class(
    "insert-quantization",
    "Quantize Convolution, ConvolutionDepthWise and InnerProduct layers to int8, with the "
    "scales of a `table` in ncnn2table's format; layers in `keep` stay float "
    "(docs/quantize.md)",
)
def insert_quantization() -> "type[ModulePass]":
    from ...quantization.insert import InsertQuantization

    return InsertQuantization


@OTHERS.add(
    "replace-deconvolution-with-convolution",
    "Replace a Deconvolution whose windows do not overlap by a 1x1 Convolution, which the "
    "runtime supports in int8, and a PixelShuffle",
)
def replace_deconvolution_with_convolution() -> "Patterns":
    from ...quantization.deconvolution import ReplaceDeconvolution

    return [ReplaceDeconvolution()]


@OTHERS.add(
    "fuse-requantize",
    "Let int8 convolutions write int8 for the int8 layers that read them, where all these "
    "layers use the same scale (docs/quantize.md)",
)
def fuse_requantize() -> "Patterns":
    from ...quantization.requantize import FuseRequantize

    return [FuseRequantize()]
