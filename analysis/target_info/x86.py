"""Facts about x86 with SSE2 or newer."""

from .facts import (
    CURVES,
    NO_CODE,
    UNBOUNDED,
    FactSource,
    FasterAttention,
    HalfPrecision,
    Lanes,
    Padding,
    Processor,
    Rates,
    SlowActivation,
    Slower,
    codes,
)


def _measured(ratio: str) -> str:
    return f'{ratio} times as long; make bench BENCH="--only processors", AVX-512'


def _attention(ratio: str) -> FactSource:
    return FactSource(
        "layer/x86/multiheadattention_x86.cpp, layer/x86/sdpa_x86.cpp", _measured(ratio)
    )


_rounded = 'rounded from make bench BENCH="--only processors", AVX-512'

X86 = Processor(
    name="x86",
    lanes=Lanes({4: "SSE2", 8: "AVX", 16: "AVX-512"}, FactSource("net.cpp: convert_layout")),
    half=HalfPrecision(
        blobs=False,
        weights=frozenset({"InnerProduct"}),
        needs="F16C",
        source=FactSource(
            "net.cpp: blobs become float16 on other processors only; "
            "layer/x86/innerproduct_x86.cpp: create_pipeline"
        ),
    ),
    rates=Rates(
        flop=4,
        byte=1,
        scalar_op=25,
        scalar_byte=1.5,
        layer=35_000,
        source=FactSource("net.cpp: do_forward_layer", _rounded),
    ),
    codes=codes(
        "x86",
        "AbsVal BNLL BatchNorm BinaryOp Cast Clip Concat Convolution Convolution1D "
        "ConvolutionDepthWise Crop Deconvolution DeconvolutionDepthWise DeformableConv2D "
        "Dequantize Dropout ELU Eltwise Erf Flatten GELU Gemm GridSample GroupNorm HardSigmoid "
        "HardSwish InnerProduct Interp LayerNorm Mish MultiHeadAttention PReLU Packing Padding "
        "Pooling Quantize RMSNorm ReLU Requantize Reshape SELU Scale ShuffleChannel Sigmoid Slice "
        "Softmax Swish TanH UnaryOp",
        "Bias InstanceNorm LRN LSTM MatMul PixelShuffle ROIAlign RotaryEmbed SDPA "
        "Yolov3DetectionOutput",
        half="AbsVal Concat Crop Flatten Packing Padding Reshape Slice",
    ),
    portable=frozenset(
        (
            "ArgMax CELU Convolution3D ConvolutionDepthWise1D ConvolutionDepthWise3D CopyTo "
            "CumulativeSum Deconvolution1D Deconvolution3D DeconvolutionDepthWise1D "
            "DeconvolutionDepthWise3D DetectionOutput Diag Einsum Embed Exp ExpandDims Flip Fold "
            "GLU GRU InverseSpectrogram Log MVN MemoryData Normalize PSROIPooling Permute "
            "Pooling1D Pooling3D Power PriorBox Proposal RNN ROIPooling Reduction Reorg SPP "
            "Shrink Softplus Spectrogram Squeeze StatisticsPooling Threshold Tile Unfold "
            "YoloDetectionOutput"
        ).split()
    ),
    slow_activations=(
        SlowActivation(
            NO_CODE,
            CURVES,
            FactSource(
                "layer/fused_activation.h: one element at a time",
                _measured("1.0 to 6.8"),
            ),
        ),
        SlowActivation(
            frozenset({"ConvolutionDepthWise", "DeconvolutionDepthWise"}),
            CURVES,
            FactSource(
                "layer/x86/convolutiondepthwise_x86.cpp, layer/x86/deconvolutiondepthwise_x86.cpp: "
                "one element at a time where elempack is 1",
                _measured("1.0 to 4.8"),
            ),
            packed=False,
        ),
        SlowActivation(
            frozenset({"InnerProduct"}),
            CURVES,
            FactSource(
                "layer/x86/innerproduct_gemm_fp.h: one element at a time where neither rows nor "
                "outputs are kept together",
                _measured("1.1 to 3.5"),
            ),
            packed=False,
            rows=True,
        ),
        SlowActivation(
            frozenset({"InnerProduct"}),
            frozenset({"sigmoid", "mish"}),
            FactSource(
                "layer/x86/innerproduct_gemm_fp.h: each vector waits for its own",
                _measured("1.0 to 1.3"),
            ),
            rows=True,
        ),
        SlowActivation(
            frozenset({"Convolution1D"}),
            frozenset({"sigmoid"}),
            FactSource(
                "layer/x86/convolution1d_packed.h: each vector waits for its own, and is taken "
                "apart",
                _measured("1.04"),
            ),
            packed=False,
        ),
        SlowActivation(
            frozenset({"Convolution1D"}),
            frozenset({"mish"}),
            FactSource(
                "layer/x86/convolution1d_packed.h: each vector waits for its own", _measured("1.15")
            ),
        ),
        SlowActivation(
            frozenset({"DeconvolutionDepthWise"}),
            frozenset({"mish"}),
            FactSource(
                "layer/x86/deconvolutiondepthwise_x86.cpp: each vector waits for its own",
                _measured("1.6"),
            ),
        ),
    ),
    padding=Padding(
        frozenset({"ConvolutionDepthWise"}),
        frozenset({4, 8, 16}),
        1.25,
        None,
        FactSource(
            "layer/x86/convolutiondepthwise_x86.cpp: create_pipeline, where elempack is 1",
            "a 1x1, a depthwise and a 1x1 Convolution took 0.36 to 0.95 of the time, AVX-512",
        ),
    ),
    slower=(
        Slower(
            "Deconvolution1D",
            "Deconvolution",
            13.0,
            90.0,
            FactSource("layer/deconvolution1d.cpp: no code for vectors", _measured("13 to 90")),
        ),
        Slower(
            "ConvolutionDepthWise1D",
            "ConvolutionDepthWise",
            1.1,
            2.9,
            FactSource(
                "layer/convolutiondepthwise1d.cpp: no code for vectors", _measured("1.1 to 2.9")
            ),
        ),
    ),
    attention=(
        FasterAttention("SDPA", range(1, 17), range(16, UNBOUNDED), _attention("0.48 to 0.94")),
        FasterAttention("SDPA", range(17, 33), range(400, UNBOUNDED), _attention("0.73 to 0.97")),
        FasterAttention("SDPA", range(33, 65), range(784, UNBOUNDED), _attention("0.80 to 0.99")),
        FasterAttention(
            "MultiHeadAttention", range(64, 129), range(100, 401), _attention("0.91 to 1.02")
        ),
    ),
)
