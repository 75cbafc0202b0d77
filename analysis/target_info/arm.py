"""Facts about arm, 32 and 64 bits, with NEON. The figures are instruction counts, not times: see
the package."""

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

COMMAND = 'make bench BENCH="--only processors --arm …"'


PADDED = (
    "a 1x1, a depthwise and a 1x1 Convolution: 0.13 to 0.97 times the instructions, float32 and "
    "float16"
)


def _counted(ratio: str) -> str:
    return f"{ratio} times the instructions; {COMMAND}, float32 and float16"


ARM = Processor(
    name="arm",
    lanes=Lanes(
        {4: "NEON", 8: "arithmetic in half precision (asimdhp), of layers that take float16"},
        FactSource("net.cpp: convert_layout"),
    ),
    half=HalfPrecision(
        blobs=True,
        weights=frozenset(),
        needs="asimdhp, for arithmetic as well; or vfpv4",
        source=FactSource("net.cpp: convert_layout; option.cpp: use_fp16_storage"),
    ),
    rates=Rates(
        flop=6,
        byte=0.5,
        scalar_op=25,
        scalar_byte=1.5,
        layer=5_000,
        source=FactSource("net.cpp: do_forward_layer", f"rounded from instructions; {COMMAND}"),
    ),
    codes=codes(
        "arm",
        "AbsVal BatchNorm BinaryOp Cast Clip Concat Convolution Convolution1D ConvolutionDepthWise "
        "Crop Deconvolution DeconvolutionDepthWise Dequantize Dropout ELU Eltwise Erf Flatten GELU "
        "Gemm GroupNorm HardSigmoid HardSwish InnerProduct InstanceNorm Interp LayerNorm Mish "
        "MultiHeadAttention PReLU Packing Padding PixelShuffle Pooling Quantize RMSNorm ReLU "
        "Requantize Reshape SELU Scale ShuffleChannel Sigmoid Slice Softmax Swish TanH UnaryOp",
        "Bias GRU LRN LSTM MatMul RNN RotaryEmbed SDPA",
        half="BatchNorm BinaryOp Cast Clip Concat Convolution Convolution1D ConvolutionDepthWise "
        "Crop Deconvolution DeconvolutionDepthWise Dequantize ELU Eltwise Erf Flatten GELU GRU "
        "Gemm GroupNorm HardSigmoid HardSwish InnerProduct InstanceNorm Interp LSTM LayerNorm "
        "MatMul Mish MultiHeadAttention PReLU Packing Padding PixelShuffle Pooling Quantize "
        "RMSNorm RNN ReLU Reshape RotaryEmbed SDPA SELU ShuffleChannel Sigmoid Slice Softmax Swish "
        "TanH UnaryOp",
    ),
    portable=frozenset(
        (
            "ArgMax BNLL CELU Convolution3D ConvolutionDepthWise1D ConvolutionDepthWise3D CopyTo "
            "CumulativeSum Deconvolution1D Deconvolution3D DeconvolutionDepthWise1D "
            "DeconvolutionDepthWise3D DeformableConv2D DetectionOutput Diag Einsum Embed Exp "
            "ExpandDims Flip Fold GLU GridSample InverseSpectrogram Log MVN MemoryData Normalize "
            "PSROIPooling Permute Pooling1D Pooling3D Power PriorBox Proposal ROIAlign "
            "ROIPooling Reduction Reorg SPP Shrink Softplus Spectrogram Squeeze "
            "StatisticsPooling Threshold Tile Unfold YoloDetectionOutput Yolov3DetectionOutput"
        ).split()
    ),
    slow_activations=(
        SlowActivation(
            NO_CODE | {"DeformableConv2D"},
            CURVES,
            FactSource("layer/fused_activation.h: one element at a time", _counted("1.0 to 3.8")),
        ),
        SlowActivation(
            frozenset({"ConvolutionDepthWise", "DeconvolutionDepthWise"}),
            CURVES,
            FactSource(
                "layer/arm/convolutiondepthwise_arm.cpp, layer/arm/deconvolutiondepthwise_arm.cpp: "
                "one element at a time where elempack is 1 (but for windows of 3x3 and 5x5)",
                _counted("1.1 to 2.7"),
            ),
            packed=False,
        ),
        SlowActivation(
            frozenset({"InnerProduct"}),
            CURVES,
            FactSource(
                "layer/arm/innerproduct_arm.cpp, layer/arm/innerproduct_gemm_fp16s.h: one element "
                "at a time where neither rows nor outputs are kept together",
                _counted("1.1 to 1.8"),
            ),
            packed=False,
            rows=True,
        ),
    ),
    slower=(
        Slower(
            "Deconvolution1D",
            "Deconvolution",
            7.8,
            40,
            FactSource("layer/deconvolution1d.cpp: no code for vectors", _counted("7.8 to 40")),
        ),
        Slower(
            "ConvolutionDepthWise1D",
            "ConvolutionDepthWise",
            1.4,
            3.4,
            FactSource(
                "layer/convolutiondepthwise1d.cpp: no code for vectors", _counted("1.4 to 3.4")
            ),
        ),
    ),
    attention=(
        FasterAttention(
            "MultiHeadAttention",
            range(1, UNBOUNDED),
            range(1, UNBOUNDED),
            FactSource(
                "layer/arm/multiheadattention_arm.cpp, layer/arm/sdpa_arm.cpp: the same products, "
                "and no Permutes",
                _counted("0.58 to 1.01"),
            ),
        ),
    ),
    slow_sdpa=FactSource(
        "layer/arm/sdpa_arm.cpp: of float16, too, Gemms that write float32 and pack what they read",
        _counted("0.81 to 1.28"),
    ),
    padding=Padding(
        frozenset({"ConvolutionDepthWise"}),
        # In float16, packs of 4 channels have the slowest code: 3 x 3 windows take 2.5 times the
        # instructions of float32.
        frozenset({8}),
        1.15,
        # Other windows take more instructions in float32. ncnn computes 3 x 3 windows with stride 2
        # wrongly in float16 (also in 1.0.20261020): for two columns at once, it reads the last
        # elements of the second and third row from the first row.
        frozenset({(1, 2), (2, 1), (2, 2), (3, 1), (4, 2), (5, 2)}),
        FactSource(
            "layer/arm/convolutiondepthwise_arm.cpp: create_pipeline, where elempack is 1; "
            "layer/arm/convolutiondepthwise_3x3_pack8_fp16s.h: what is wrong",
            PADDED,
        ),
    ),
)
