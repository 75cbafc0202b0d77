"""arm, 32 and 64 bits, with NEON. Nothing of this was measured: see the package."""

from .facts import (
    ANY,
    CURVES,
    NO_CODE,
    FasterAttention,
    HalfPrecision,
    Lanes,
    Padding,
    Processor,
    Rates,
    SlowActivation,
    Source,
    codes,
)

ARM = Processor(
    name="arm",
    lanes=Lanes(
        {4: "NEON", 8: "arithmetic in half precision (asimdhp), of layers that take float16"},
        Source("net.cpp: convert_layout"),
    ),
    half=HalfPrecision(
        blobs=True,
        weights=frozenset(),
        needs="asimdhp, for arithmetic as well; or vfpv4",
        source=Source("net.cpp: convert_layout; option.cpp: use_fp16_storage"),
    ),
    rates=Rates(
        flop=4,
        byte=0.25,
        plain=6,
        plain_byte=0.4,
        layer=9_000,
        # Those of x86 where a vector has 4 elements instead of 16, so that the unit is longer.
        source=Source("net.cpp: convert_layout, elempack 4"),
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
    slow_activations=(
        SlowActivation(
            NO_CODE | {"DeformableConv2D"},
            CURVES,
            Source("layer/fused_activation.h: one element at a time"),
        ),
        SlowActivation(
            frozenset({"ConvolutionDepthWise", "DeconvolutionDepthWise"}),
            CURVES,
            Source(
                "layer/arm/convolutiondepthwise_arm.cpp, layer/arm/deconvolutiondepthwise_arm.cpp: "
                "one element at a time where elempack is 1 (but for windows of 3x3 and 5x5)"
            ),
            packed=False,
        ),
        SlowActivation(
            frozenset({"InnerProduct"}),
            CURVES,
            Source(
                "layer/arm/innerproduct_arm.cpp, layer/arm/innerproduct_gemm_fp16s.h: one element "
                "at a time where neither rows nor outputs are kept together"
            ),
            packed=False,
            rows=True,
        ),
    ),
    attention=(
        FasterAttention(
            "SDPA",
            range(1, ANY),
            range(4096, ANY),
            Source(
                "layer/arm/sdpa_arm.cpp: the same products, and Permutes take a hundredth of them"
            ),
        ),
        FasterAttention(
            "MultiHeadAttention",
            range(1, ANY),
            range(1, 1024),
            Source("layer/arm/multiheadattention_arm.cpp: the same products, and no Permutes"),
        ),
    ),
    padding=Padding(
        frozenset({"ConvolutionDepthWise"}),
        1.25,
        Source("layer/arm/convolutiondepthwise_arm.cpp: create_pipeline, where elempack is 1"),
    ),
)
