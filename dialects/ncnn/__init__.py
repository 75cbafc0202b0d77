"""The `ncnn` dialect: one operation for each layer type of the ncnn runtime.

`FAMILIES` is the registry. A family is imported on the first use of one of its layer types, since a
model has few.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from xdsl.ir import Dialect

    from .layer import LayerOp

    LAYERS: tuple[type[LayerOp], ...]
    """All layer types, in ncnn's order."""
    NCNN: Dialect
    """The dialect, for xDSL's registry."""

FAMILIES: Mapping[str, str] = {
    "AbsVal": "unary",
    "ArgMax": "reduction",
    "BatchNorm": "normalization",
    "Bias": "normalization",
    "BNLL": "activation",
    "Concat": "joining",
    "Convolution": "convolution",
    "Crop": "cropping",
    "Deconvolution": "deconvolution",
    "Dropout": "elementwise",
    "Eltwise": "elementwise",
    "ELU": "activation",
    "Embed": "embedding",
    "Exp": "unary",
    "Flatten": "reshaping",
    "InnerProduct": "innerproduct",
    "Input": "structure",
    "Log": "unary",
    "LRN": "normalization",
    "MemoryData": "constant",
    "MVN": "normalization",
    "Pooling": "pooling",
    "Power": "elementwise",
    "PReLU": "activation",
    "Proposal": "detection",
    "Reduction": "reduction",
    "ReLU": "activation",
    "Reshape": "reshaping",
    "ROIPooling": "pooling",
    "Scale": "normalization",
    "Sigmoid": "activation",
    "Slice": "joining",
    "Softmax": "reduction",
    "Split": "structure",
    "SPP": "pooling",
    "TanH": "activation",
    "Threshold": "activation",
    "Tile": "joining",
    "RNN": "recurrent",
    "LSTM": "recurrent",
    "BinaryOp": "elementwise",
    "UnaryOp": "unary",
    "ConvolutionDepthWise": "convolution",
    "Padding": "cropping",
    "Squeeze": "reshaping",
    "ExpandDims": "reshaping",
    "Normalize": "normalization",
    "Permute": "reshaping",
    "PriorBox": "detection",
    "DetectionOutput": "detection",
    "Interp": "resampling",
    "DeconvolutionDepthWise": "deconvolution",
    "ShuffleChannel": "resampling",
    "InstanceNorm": "normalization",
    "Clip": "activation",
    "Reorg": "resampling",
    "YoloDetectionOutput": "detection",
    "Quantize": "quantization",
    "Dequantize": "quantization",
    "Yolov3DetectionOutput": "detection",
    "PSROIPooling": "pooling",
    "ROIAlign": "pooling",
    "Packing": "conversion",
    "Requantize": "quantization",
    "Cast": "conversion",
    "HardSigmoid": "activation",
    "SELU": "activation",
    "HardSwish": "activation",
    "Noop": "structure",
    "PixelShuffle": "resampling",
    "DeepCopy": "structure",
    "Mish": "activation",
    "StatisticsPooling": "pooling",
    "Swish": "activation",
    "Gemm": "matmul",
    "GroupNorm": "normalization",
    "LayerNorm": "normalization",
    "Softplus": "activation",
    "GRU": "recurrent",
    "MultiHeadAttention": "attention",
    "GELU": "activation",
    "Convolution1D": "convolution",
    "Pooling1D": "pooling",
    "ConvolutionDepthWise1D": "convolution",
    "Convolution3D": "convolution",
    "ConvolutionDepthWise3D": "convolution",
    "Pooling3D": "pooling",
    "MatMul": "matmul",
    "Deconvolution1D": "deconvolution",
    "DeconvolutionDepthWise1D": "deconvolution",
    "Deconvolution3D": "deconvolution",
    "DeconvolutionDepthWise3D": "deconvolution",
    "Einsum": "reduction",
    "DeformableConv2D": "convolution",
    "GLU": "reduction",
    "Fold": "resampling",
    "Unfold": "resampling",
    "GridSample": "resampling",
    "CumulativeSum": "reduction",
    "CopyTo": "cropping",
    "Erf": "unary",
    "Diag": "reshaping",
    "CELU": "activation",
    "Shrink": "activation",
    "RMSNorm": "normalization",
    "Spectrogram": "audio",
    "InverseSpectrogram": "audio",
    "Flip": "reshaping",
    "SDPA": "attention",
    "RotaryEmbed": "attention",
}
"""The module of each layer type, by ncnn's type name, in ncnn's registration order
(`ncnn_add_layer` in its `src/CMakeLists.txt`). The position is the type's index in a binary
`.param.bin`."""


class _Layers(Mapping[str, type["LayerOp"]]):
    def __init__(self) -> None:
        self._found: dict[str, type[LayerOp]] = {}

    def __getitem__(self, layer_type: str) -> type["LayerOp"]:
        if layer_type not in self._found:
            family = import_module(f".{FAMILIES[layer_type]}", __name__)
            for value in vars(family).values():
                if getattr(value, "LAYER_TYPE", None) == layer_type:
                    self._found[layer_type] = value
        return self._found[layer_type]

    def __contains__(self, layer_type: object) -> bool:
        return layer_type in FAMILIES

    def __iter__(self) -> Iterator[str]:
        return iter(FAMILIES)

    def __len__(self) -> int:
        return len(FAMILIES)


BY_TYPE: Mapping[str, type["LayerOp"]] = _Layers()
"""The operation of a layer type, by ncnn's type name."""


def __getattr__(name: str) -> Any:
    """Return `LAYERS` or `NCNN`, which import all families."""
    if name == "LAYERS":
        return tuple(BY_TYPE.values())
    if name == "NCNN":
        from .dialect import NCNN

        return NCNN
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
