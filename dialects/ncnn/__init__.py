"""The `ncnn` dialect: one operation for each layer type of the ncnn runtime.

`LAYERS` is the registry, in the order in which ncnn registers its layer types
(`ncnn_add_layer` in its `src/CMakeLists.txt`): a layer's place is its type index in a binary
`.param.bin`.
"""

from collections.abc import Mapping
from typing import cast

from xdsl.dialect_interfaces.constant_materialization import ConstantMaterializationInterface
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType
from xdsl.ir import Attribute, Dialect, Operation

from . import (
    activation,
    attention,
    audio,
    conversion,
    convolution,
    cropping,
    custom,
    deconvolution,
    detection,
    elementwise,
    embedding,
    innerproduct,
    matmul,
    normalization,
    pooling,
    quantization,
    recurrent,
    reduction,
    resampling,
    reshaping,
    structure,
)
from .constant import ConstantOp
from .layer import LayerOp
from .weights import ElidedAttr, RandomAttr, Weight, WeightAttr

LAYERS: tuple[type[LayerOp], ...] = (
    activation.AbsValOp,
    reduction.ArgMaxOp,
    normalization.BatchNormOp,
    normalization.BiasOp,
    activation.BNLLOp,
    reshaping.ConcatOp,
    convolution.ConvolutionOp,
    cropping.CropOp,
    deconvolution.DeconvolutionOp,
    elementwise.DropoutOp,
    elementwise.EltwiseOp,
    activation.ELUOp,
    embedding.EmbedOp,
    activation.ExpOp,
    reshaping.FlattenOp,
    innerproduct.InnerProductOp,
    structure.InputOp,
    activation.LogOp,
    normalization.LRNOp,
    ConstantOp,
    normalization.MVNOp,
    pooling.PoolingOp,
    elementwise.PowerOp,
    activation.PReLUOp,
    detection.ProposalOp,
    reduction.ReductionOp,
    activation.ReLUOp,
    reshaping.ReshapeOp,
    pooling.ROIPoolingOp,
    normalization.ScaleOp,
    activation.SigmoidOp,
    reshaping.SliceOp,
    reduction.SoftmaxOp,
    structure.SplitOp,
    pooling.SPPOp,
    activation.TanHOp,
    activation.ThresholdOp,
    reshaping.TileOp,
    recurrent.RNNOp,
    recurrent.LSTMOp,
    elementwise.BinaryOpOp,
    activation.UnaryOpOp,
    convolution.ConvolutionDepthWiseOp,
    cropping.PaddingOp,
    reshaping.SqueezeOp,
    reshaping.ExpandDimsOp,
    normalization.NormalizeOp,
    reshaping.PermuteOp,
    detection.PriorBoxOp,
    detection.DetectionOutputOp,
    resampling.InterpOp,
    deconvolution.DeconvolutionDepthWiseOp,
    resampling.ShuffleChannelOp,
    normalization.InstanceNormOp,
    activation.ClipOp,
    resampling.ReorgOp,
    detection.YoloDetectionOutputOp,
    quantization.QuantizeOp,
    quantization.DequantizeOp,
    detection.Yolov3DetectionOutputOp,
    pooling.PSROIPoolingOp,
    pooling.ROIAlignOp,
    conversion.PackingOp,
    quantization.RequantizeOp,
    conversion.CastOp,
    activation.HardSigmoidOp,
    activation.SELUOp,
    activation.HardSwishOp,
    structure.NoopOp,
    resampling.PixelShuffleOp,
    structure.DeepCopyOp,
    activation.MishOp,
    pooling.StatisticsPoolingOp,
    activation.SwishOp,
    matmul.GemmOp,
    normalization.GroupNormOp,
    normalization.LayerNormOp,
    activation.SoftplusOp,
    recurrent.GRUOp,
    attention.MultiHeadAttentionOp,
    activation.GELUOp,
    convolution.Convolution1DOp,
    pooling.Pooling1DOp,
    convolution.ConvolutionDepthWise1DOp,
    convolution.Convolution3DOp,
    convolution.ConvolutionDepthWise3DOp,
    pooling.Pooling3DOp,
    matmul.MatMulOp,
    deconvolution.Deconvolution1DOp,
    deconvolution.DeconvolutionDepthWise1DOp,
    deconvolution.Deconvolution3DOp,
    deconvolution.DeconvolutionDepthWise3DOp,
    reduction.EinsumOp,
    convolution.DeformableConv2DOp,
    reduction.GLUOp,
    resampling.FoldOp,
    resampling.UnfoldOp,
    resampling.GridSampleOp,
    reduction.CumulativeSumOp,
    cropping.CopyToOp,
    activation.ErfOp,
    reshaping.DiagOp,
    activation.CELUOp,
    activation.ShrinkOp,
    normalization.RMSNormOp,
    audio.SpectrogramOp,
    audio.InverseSpectrogramOp,
    reshaping.FlipOp,
    attention.SDPAOp,
    attention.RotaryEmbedOp,
)
"""All layer types, in ncnn's order."""

BY_TYPE: Mapping[str, type[LayerOp]] = {cls.LAYER_TYPE: cls for cls in LAYERS}
"""The operation of a layer type, under ncnn's name of it."""


class _Materialize(ConstantMaterializationInterface):
    def materialize_constant(self, value: Attribute, type: Attribute) -> Operation | None:
        if isinstance(value, DenseIntOrFPElementsAttr) and isinstance(type, TensorType):
            return ConstantOp.of(cast(Weight, value), cast(TensorType[Attribute], type))
        return None


NCNN = Dialect(
    "ncnn",
    [*LAYERS, custom.CustomOp],
    [WeightAttr, RandomAttr, ElidedAttr],
    [_Materialize()],
)
"""The dialect, as xDSL registers it."""
