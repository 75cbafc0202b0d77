"""The `ncnn` dialect: one operation for each layer type of the ncnn runtime.

`FAMILIES` is the registry. A family is imported on the first use of one of its layer types, since a
model has few: to import all of them takes 15 % of the instructions of a conversion without passes.
"""

from collections.abc import Callable, Iterator, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from xdsl.ir import Dialect

    from .layer import LayerOp

    LAYERS: tuple[type[LayerOp], ...]
    """All layer types, in ncnn's order."""
    NCNN: Dialect
    """The dialect, for xDSL's registry."""


def _activation() -> ModuleType:
    from . import activation

    return activation


def _attention() -> ModuleType:
    from . import attention

    return attention


def _audio() -> ModuleType:
    from . import audio

    return audio


def _constant() -> ModuleType:
    from . import constant

    return constant


def _conversion() -> ModuleType:
    from . import conversion

    return conversion


def _convolution() -> ModuleType:
    from . import convolution

    return convolution


def _cropping() -> ModuleType:
    from . import cropping

    return cropping


def _deconvolution() -> ModuleType:
    from . import deconvolution

    return deconvolution


def _detection() -> ModuleType:
    from . import detection

    return detection


def _elementwise() -> ModuleType:
    from . import elementwise

    return elementwise


def _embedding() -> ModuleType:
    from . import embedding

    return embedding


def _innerproduct() -> ModuleType:
    from . import innerproduct

    return innerproduct


def _joining() -> ModuleType:
    from . import joining

    return joining


def _matmul() -> ModuleType:
    from . import matmul

    return matmul


def _normalization() -> ModuleType:
    from . import normalization

    return normalization


def _pooling() -> ModuleType:
    from . import pooling

    return pooling


def _quantization() -> ModuleType:
    from . import quantization

    return quantization


def _recurrent() -> ModuleType:
    from . import recurrent

    return recurrent


def _reduction() -> ModuleType:
    from . import reduction

    return reduction


def _resampling() -> ModuleType:
    from . import resampling

    return resampling


def _reshaping() -> ModuleType:
    from . import reshaping

    return reshaping


def _structure() -> ModuleType:
    from . import structure

    return structure


def _unary() -> ModuleType:
    from . import unary

    return unary


FAMILIES: Mapping[str, Callable[[], ModuleType]] = {
    "AbsVal": _unary,
    "ArgMax": _reduction,
    "BatchNorm": _normalization,
    "Bias": _normalization,
    "BNLL": _activation,
    "Concat": _joining,
    "Convolution": _convolution,
    "Crop": _cropping,
    "Deconvolution": _deconvolution,
    "Dropout": _elementwise,
    "Eltwise": _elementwise,
    "ELU": _activation,
    "Embed": _embedding,
    "Exp": _unary,
    "Flatten": _reshaping,
    "InnerProduct": _innerproduct,
    "Input": _structure,
    "Log": _unary,
    "LRN": _normalization,
    "MemoryData": _constant,
    "MVN": _normalization,
    "Pooling": _pooling,
    "Power": _elementwise,
    "PReLU": _activation,
    "Proposal": _detection,
    "Reduction": _reduction,
    "ReLU": _activation,
    "Reshape": _reshaping,
    "ROIPooling": _pooling,
    "Scale": _normalization,
    "Sigmoid": _activation,
    "Slice": _joining,
    "Softmax": _reduction,
    "Split": _structure,
    "SPP": _pooling,
    "TanH": _activation,
    "Threshold": _activation,
    "Tile": _joining,
    "RNN": _recurrent,
    "LSTM": _recurrent,
    "BinaryOp": _elementwise,
    "UnaryOp": _unary,
    "ConvolutionDepthWise": _convolution,
    "Padding": _cropping,
    "Squeeze": _reshaping,
    "ExpandDims": _reshaping,
    "Normalize": _normalization,
    "Permute": _reshaping,
    "PriorBox": _detection,
    "DetectionOutput": _detection,
    "Interp": _resampling,
    "DeconvolutionDepthWise": _deconvolution,
    "ShuffleChannel": _resampling,
    "InstanceNorm": _normalization,
    "Clip": _activation,
    "Reorg": _resampling,
    "YoloDetectionOutput": _detection,
    "Quantize": _quantization,
    "Dequantize": _quantization,
    "Yolov3DetectionOutput": _detection,
    "PSROIPooling": _pooling,
    "ROIAlign": _pooling,
    "Packing": _conversion,
    "Requantize": _quantization,
    "Cast": _conversion,
    "HardSigmoid": _activation,
    "SELU": _activation,
    "HardSwish": _activation,
    "Noop": _structure,
    "PixelShuffle": _resampling,
    "DeepCopy": _structure,
    "Mish": _activation,
    "StatisticsPooling": _pooling,
    "Swish": _activation,
    "Gemm": _matmul,
    "GroupNorm": _normalization,
    "LayerNorm": _normalization,
    "Softplus": _activation,
    "GRU": _recurrent,
    "MultiHeadAttention": _attention,
    "GELU": _activation,
    "Convolution1D": _convolution,
    "Pooling1D": _pooling,
    "ConvolutionDepthWise1D": _convolution,
    "Convolution3D": _convolution,
    "ConvolutionDepthWise3D": _convolution,
    "Pooling3D": _pooling,
    "MatMul": _matmul,
    "Deconvolution1D": _deconvolution,
    "DeconvolutionDepthWise1D": _deconvolution,
    "Deconvolution3D": _deconvolution,
    "DeconvolutionDepthWise3D": _deconvolution,
    "Einsum": _reduction,
    "DeformableConv2D": _convolution,
    "GLU": _reduction,
    "Fold": _resampling,
    "Unfold": _resampling,
    "GridSample": _resampling,
    "CumulativeSum": _reduction,
    "CopyTo": _cropping,
    "Erf": _unary,
    "Diag": _reshaping,
    "CELU": _activation,
    "Shrink": _activation,
    "RMSNorm": _normalization,
    "Spectrogram": _audio,
    "InverseSpectrogram": _audio,
    "Flip": _reshaping,
    "SDPA": _attention,
    "RotaryEmbed": _attention,
}
"""The function that imports the module of each layer type, by ncnn's type name, in ncnn's order
(`ncnn_add_layer` in its `src/CMakeLists.txt`). The position is the type's index in a binary
`.param.bin`."""


class _Layers(Mapping[str, type["LayerOp"]]):
    def __init__(self) -> None:
        self._found: dict[str, type[LayerOp]] = {}

    def __getitem__(self, layer_type: str) -> type["LayerOp"]:
        if layer_type not in self._found:
            for value in vars(FAMILIES[layer_type]()).values():
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
