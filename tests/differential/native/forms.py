"""Convolutions, and the forms that the lowering has for each of them."""

from collections.abc import Mapping

POINTWISE = "conv1x1_nhwc conv1x1_gemm"
DEPTHWISE = "depthwise_loop depthwise_unrolled"
DENSE = "direct columns winograd2 winograd4"
"""The forms of 3x3 windows one place apart."""

INT8 = " | | uniform:-60:60"
"""Values that int8 does not clip."""

CONVOLUTIONS: Mapping[str, tuple[str, str]] = {
    "1x1": ("Convolution 5x7x9 | 0=6 1=1 5=1 6=30", POINTWISE),
    "1x1, stride 2": ("Convolution 6x7x8 | 0=4 1=1 3=2 6=24 9=1", POINTWISE),
    "1x1, strides 3 and 2": (
        "Convolution 5x8x9 | 0=7 1=1 3=2 13=3 6=35",
        POINTWISE,
    ),
    "1x1, padded": ("Convolution 4x5x6 | 0=5 1=1 4=1 5=1 6=20 18=0.5", POINTWISE),
    "1x1, one output channel": ("Convolution 5x4x6 | 0=1 1=1 6=5", POINTWISE),
    "3x3": ("Convolution 5x9x11 | 0=7 1=3 6=315 5=1", DENSE),
    "3x3, padded": ("Convolution 6x8x7 | 0=5 1=3 4=1 6=270 9=1", DENSE),
    "3x3, padded on two sides": ("Convolution 3x7x8 | 0=4 1=3 4=1 15=0 14=2 16=0 6=108", DENSE),
    "3x3, 8 inputs": ("Convolution 8x5x6 | 0=5 1=3 4=1 5=1 6=360", DENSE),
    "3x3, padded with a number": ("Convolution 3x6x6 | 0=4 1=3 4=1 6=108 18=-1.5", DENSE),
    "3x3, tiles that fit": ("Convolution 4x10x14 | 0=8 1=3 6=288", DENSE),
    "3x3, rows of 28": ("Convolution 3x4x28 | 0=4 1=3 4=1 6=108", DENSE),
    "3x3, one place": ("Convolution 4x3x3 | 0=5 1=3 6=180", "columns winograd2 winograd4"),
    "3x3, one row": ("Convolution 4x3x9 | 0=5 1=3 6=180", "columns winograd2 winograd4"),
    "3x3, stride 2": ("Convolution 5x9x12 | 0=6 1=3 3=2 4=1 6=270", "direct columns"),
    "3x3, stride 1 and 2": ("Convolution 3x7x9 | 0=4 1=3 3=1 13=2 6=108", "direct columns"),
    "3x3, dilated": ("Convolution 4x9x8 | 0=5 1=3 2=2 4=2 6=180", "direct columns"),
    "3x3, dilated along one axis": ("Convolution 4x9x8 | 0=5 1=3 12=2 2=1 6=180", "direct columns"),
    "5x3, SAME": ("Convolution 3x11x10 | 0=4 1=3 11=5 3=2 4=-233 6=180", "direct columns"),
    "2x2": ("Convolution 4x6x6 | 0=6 1=2 3=2 6=96", "direct columns"),
    "1x3, one row": ("Convolution 4x1x9 | 0=6 1=3 11=1 6=72", "columns"),
    "over one axis": ("Convolution1D 5x13 | 0=6 1=3 3=2 4=1 5=1 6=90", ""),
    "depthwise": (
        "ConvolutionDepthWise 10x7x9 | 0=10 1=3 4=1 5=1 6=90 7=10 9=1",
        DEPTHWISE,
    ),
    "depthwise, stride 2": (
        "ConvolutionDepthWise 6x8x9 | 0=6 1=3 3=2 4=1 6=54 7=6",
        DEPTHWISE,
    ),
    "depthwise, dilated": (
        "ConvolutionDepthWise 6x9x9 | 0=6 1=3 2=2 4=-233 6=54 7=6",
        DEPTHWISE,
    ),
    "depthwise, rows of 8, padded with a number": (
        "ConvolutionDepthWise 4x5x8 | 0=4 1=3 4=1 18=0.5 6=36 7=4",
        DEPTHWISE,
    ),
    "depthwise, 1x5": (
        "ConvolutionDepthWise 3x6x9 | 0=3 1=5 11=1 6=15 7=3",
        DEPTHWISE,
    ),
    "depthwise, two outputs each": (
        "ConvolutionDepthWise 4x6x7 | 0=8 1=3 4=1 6=72 7=4",
        "columns winograd2 winograd4",
    ),
    "groups": (
        "ConvolutionDepthWise 6x8x9 | 0=9 1=3 4=1 5=1 6=162 7=3",
        "columns winograd2 winograd4",
    ),
    "groups, one output each": (
        "ConvolutionDepthWise 6x6x7 | 0=3 1=3 6=54 7=3",
        "depthwise_unrolled columns winograd2 winograd4",
    ),
    "groups, one output each, stride 2, dilated": (
        "ConvolutionDepthWise 9x9x8 | 0=3 1=2 11=3 2=2 3=2 4=1 5=1 6=54 7=3",
        "depthwise_unrolled columns",
    ),
    "groups, one output each, many products": (
        "ConvolutionDepthWise 8x6x7 | 0=2 1=3 6=72 7=2",
        "columns winograd2 winograd4",
    ),
    "groups, stride 2": ("ConvolutionDepthWise 4x9x7 | 0=6 1=3 3=2 6=108 7=2", "columns"),
    "groups, dilated, padded with a number": (
        "ConvolutionDepthWise 4x9x8 | 0=6 1=3 2=2 4=2 18=0.5 6=108 7=2",
        "columns",
    ),
    "groups, 1x1": ("ConvolutionDepthWise 6x5x7 | 0=4 1=1 6=12 7=2", "conv1x1_gemm"),
    "int8, 1x1": ("Convolution 6x5x7 | 0=4 1=1 5=1 6=24 8=2" + INT8, POINTWISE),
    "int8, 3x3": (
        "Convolution 3x6x7 | 0=5 1=3 4=1 5=1 6=135 8=2" + INT8,
        "columns winograd2 winograd4",
    ),
    "int8, stride 2, dilated": ("Convolution 4x11x9 | 0=3 1=3 3=2 2=2 6=108 8=2" + INT8, "columns"),
    "int8, depthwise": (
        "ConvolutionDepthWise 5x6x7 | 0=5 1=3 4=1 6=45 7=5 8=1" + INT8,
        DEPTHWISE,
    ),
    "int8, groups": (
        "ConvolutionDepthWise 6x6x7 | 0=4 1=3 4=1 6=108 7=2 8=1" + INT8,
        "columns winograd2 winograd4",
    ),
    "int8, groups, one output each": (
        "ConvolutionDepthWise 6x6x7 | 0=3 1=3 4=1 6=54 7=3 8=1" + INT8,
        "depthwise_unrolled columns winograd2 winograd4",
    ),
    "transposed": ("Deconvolution 4x4x5 | 0=6 1=3 4=1 5=1 6=216", DENSE),
    "transposed, cut": ("Deconvolution 3x6x7 | 0=4 1=2 4=2 14=1 6=48 5=1", "direct columns"),
    "transposed, stride 2": ("Deconvolution 4x4x5 | 0=6 1=3 3=2 4=1 6=216", "direct columns"),
    "transposed, stride 2, 2x2": (
        "Deconvolution 3x4x5 | 0=4 1=2 3=2 4=3 6=48",
        POINTWISE,
    ),
    "transposed, stride 2, 6x6": ("Deconvolution 3x4x5 | 0=2 1=6 3=2 4=2 5=1 6=216", DENSE),
    "transposed, stride 3, dilated": (
        "Deconvolution 4x4x5 | 0=3 1=3 2=2 3=3 4=1 6=108",
        "direct columns",
    ),
    "transposed, depthwise": (
        "DeconvolutionDepthWise 4x4x5 | 0=4 1=4 4=1 6=64 7=4",
        DEPTHWISE,
    ),
    "transposed, groups": (
        "DeconvolutionDepthWise 4x4x5 | 0=6 1=3 3=2 4=1 6=108 7=2 5=1",
        "columns winograd2 winograd4",
    ),
}
"""By the kind of convolution: a case, and the forms that it can have."""
