"""Small nets with one structure each that `-O` rewrites, as PyTorch's converter writes it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from .writer import ADD, MUL, ROWS, Writer

CHANNELS_LAST, CHANNELS_FIRST = 3, 4
"""Permute of an image."""

HEADS_OUTSIDE = 2
"""Permute of steps, heads, features."""


@dataclass(frozen=True)
class Structure:
    """A net, and the rewrite for it."""

    name: str
    rewritten_by: str
    """The pass."""
    make: Callable[[Writer], None]
    ratio: float
    """The time after the rewrite relative to before, measured on x86 with AVX-512."""
    tune: str = ""
    """The value of `--tune` that the rewrite requires, if any."""


def convnext(w: Writer) -> None:
    """A depthwise convolution, and Gemms on pixels between Reshapes by reference and Permutes."""
    c, x = 96, _image(w, 96, 28)
    for _ in range(2):
        x, skip = w.split(x, 2)
        y = w.layer("Permute", w.conv(x, c, c, 7, pad=3, group=c), f"0={CHANNELS_LAST}")
        y = _on_pixels(w, w.layer("GELU", _on_pixels(w, _layer_norm(w, y, c), c, 4 * c)), 4 * c, c)
        x = w.binary(ADD, skip, w.layer("Permute", y, f"0={CHANNELS_FIRST}"))


def pixels_last(w: Writer) -> None:
    """The Gemms alone, on a blob with the channels innermost: Reshapes by reference."""
    c, x = 96, w.layer("Input", [], "0=96 1=28 2=28")
    for _ in range(2):
        x, skip = w.split(x, 2)
        y = _on_pixels(w, w.layer("GELU", _on_pixels(w, _layer_norm(w, x, c), c, 4 * c)), 4 * c, c)
        x = w.binary(ADD, skip, y)


def repvgg(w: Writer) -> None:
    """3x3, 1x1 and BatchNorm of one blob, added."""
    c, x = 64, _image(w, 64, 28)
    for _ in range(3):
        a, b, d = w.split(x, 3)
        y = w.binary(ADD, w.conv_bias(a, c, c, 3, pad=1), w.conv_bias(b, c, c, 1))
        x = w.layer("ReLU", w.binary(ADD, y, w.batchnorm(d, c)))


def mobileone(w: Writer) -> None:
    """Five depthwise convolutions of one blob, added, and then five of 1x1."""
    c, x = 96, _image(w, 96, 28)
    for _ in range(2):
        for k, group in ((3, c), (1, 1)):
            first, *others = w.split(x, 5)
            x = w.conv(first, c, c, 1, group=group)
            for each in others:
                x = w.binary(ADD, x, w.conv(each, c, c, k, pad=k // 2, group=group))
            x = w.layer("ReLU", x)


def residual(w: Writer) -> None:
    """A blob and its convolution, added."""
    c, x = 48, _image(w, 48, 40)
    for _ in range(4):
        x, skip = w.split(x, 2)
        x = w.layer("ReLU", w.binary(ADD, w.conv_bias(x, c, c, 3, pad=1), skip), "0=0.2")


def vocoder(w: Writer) -> None:
    """Deconvolution1D, as in speech decoders."""
    x = w.layer("Input", [], "0=60 1=128")
    for c, n in pairwise((128, 64, 32)):
        w.tagged(c * n * 8, (8 * c) ** -0.5)
        w.plain(n, 0.1)
        x = w.layer("Deconvolution1D", x, f"0={n} 1=8 3=4 4=2 5=1 6={c * n * 8}")
        x = w.layer("ReLU", x, "0=0.1")


def depthwise_1d(w: Writer) -> None:
    """ConvolutionDepthWise1D with long kernels."""
    c, x = 256, w.layer("Input", [], "0=200 1=256")
    for _ in range(3):
        x = w.layer("Swish", w.conv1d(x, c, c, 15, 1, 7, c))


def spelled_attention(w: Writer) -> None:
    """One Gemm for query, keys and values, a Reshape, a Permute and a Slice."""
    steps, heads, features = 197, 3, 64
    width = heads * features
    x = _rows(w, width, steps)
    for _ in range(2):
        x, skip = w.split(x, 2)
        y = _gemm(w, x, width, 3 * width)
        y = w.layer("Reshape", y, f"0={features} 1={heads} 11=3 2={steps}")
        parts = w.several("Slice", w.layer("Permute", y, "0=8"), 3, "-23300=3,-233,-233,-233 1=0")
        parts = [w.layer("Reshape", each, f"0={features} 1={steps} 2={heads}") for each in parts]
        y = w.layer("Permute", w.layer("SDPA", parts), f"0={HEADS_OUTSIDE}")
        y = _gemm(w, w.layer("Reshape", y, f"0={width} 1={steps}"), width, width)
        x = w.binary(ADD, skip, y)


def long_attention(w: Writer) -> None:
    """A MultiHeadAttention of 1,024 steps."""
    width, heads, steps = 128, 4, 1024
    x = _rows(w, width, steps)
    w.layer("MultiHeadAttention", x, f"0={width} 1={heads} 2={width * width}")
    for _ in range(4):
        w.tagged(width * width, width**-0.5)
        w.plain(width, 0.1)


def mix_ffn(w: Writer) -> None:
    """A depthwise convolution between Gemms, as in PVT and SegFormer."""
    c, n, size = 32, 256, 56
    x = w.layer("Input", [], f"0={c} 1={size * size}")
    for _ in range(2):
        x, skip = w.split(x, 2)
        y = w.layer("Permute", _gemm(w, x, c, n), f"0={ROWS}")
        y = w.conv(w.layer("Reshape", y, f"0={size} 1={size} 2={n}"), n, n, 3, pad=1, group=n)
        y = w.layer("Permute", w.layer("Reshape", y, f"0={size * size} 1={n}"), f"0={ROWS}")
        x = w.binary(ADD, skip, _gemm(w, w.layer("GELU", y), n, c))


def boxes(w: Writer) -> None:
    """The expected distance of each side of a box: MatMul with a constant of one column."""
    bins, places = 16, 2100
    x = w.layer(
        "Reshape", w.layer("Input", [], f"0={4 * bins} 1={places}"), f"0={bins} 1=4 2={places}"
    )
    x = w.layer("MatMul", [w.layer("Softmax", x, "0=2 1=1"), w.memory((bins, 1), 1.0)])
    w.layer("Squeeze", x, "-23303=1,2")


def odd_channels(w: Writer) -> None:
    """Depthwise convolutions with channels that the runtime does not pack."""
    c, n, x = 64, 231, _image(w, 64, 20)
    for _ in range(2):
        x, skip = w.split(x, 2)
        y = _prelu(w, w.conv_bias(x, c, n, 1), n)
        y = _prelu(w, w.conv(y, n, n, 3, pad=1, group=n), n)
        x = w.binary(ADD, skip, w.conv_bias(y, n, c, 1))


def squeeze_and_excitation(w: Writer) -> None:
    """Factors of channels by a Reduction and convolutions of 1x1."""
    c, x = 96, _image(w, 96, 14)
    for _ in range(3):
        x = w.layer("ReLU", w.conv(x, c, c, 3, pad=1, group=c))
        x, y = w.split(x, 2)
        y = w.layer("ReLU", w.conv_bias(w.mean(y, (1, 2)), c, c // 4, 1))
        y = w.layer("Sigmoid", w.conv_bias(y, c // 4, c, 1))
        x = w.binary(MUL, x, y)


def grouped_heads(w: Writer) -> None:
    """Spelled-out attention with rotary embedding and fewer heads of keys and values."""
    steps, heads, few, features = 32, 8, 2, 32
    width = heads * features
    x = _rows(w, width, steps)
    for _ in range(2):
        x, skip = w.split(x, 2)
        a, b, d = w.split(x, 3)
        q = _rotary(
            w, _heads(w, _gemm(w, a, width, width), heads, features, steps), features, steps
        )
        k = _rotary(
            w, _heads(w, _gemm(w, b, width, few * features), few, features, steps), features, steps
        )
        v = _heads(w, _gemm(w, d, width, few * features), few, features, steps)
        k, v = (_repeated(w, each, heads // few, (heads, steps, features)) for each in (k, v))
        s = w.layer("MatMul", [q, k], "0=1")
        s = w.layer("Softmax", w.binary(MUL, s, features**-0.5), "0=2 1=1")
        y = w.layer("Permute", w.layer("MatMul", [s, v]), f"0={HEADS_OUTSIDE}")
        y = _gemm(w, w.layer("Reshape", y, f"0={width} 1={steps}"), width, width)
        x = w.binary(ADD, skip, y)


def layer_scale(w: Writer) -> None:
    """Factors of channels after a Gemm, a Reshape and a Permute."""
    c, size, x = 64, 28, _image(w, 64, 28)
    for _ in range(3):
        x, skip = w.split(x, 2)
        y = w.layer("Permute", w.layer("Reshape", x, f"0={size * size} 1={c}"), f"0={ROWS}")
        y = w.layer("Permute", _gemm(w, _layer_norm(w, y, c), c, c), f"0={ROWS}")
        y = w.layer("Reshape", y, f"0={size} 1={size} 2={c}")
        x = w.binary(ADD, skip, w.binary(MUL, y, w.memory((c, 1, 1), 0.1, 0.5)))


def two_pointwise(w: Writer) -> None:
    """A 1x1 convolution, and directly after it a 1x1 convolution to fewer channels."""
    x = _image(w, 64, 28)
    for _ in range(2):
        x = w.layer("ReLU", w.conv_bias(w.conv_bias(x, 64, 128, 1), 128, 64, 1))


STRUCTURES: Sequence[Structure] = (
    Structure("ConvNeXt block", "replace-gemm-with-convolution", convnext, 0.04),
    Structure("Gemms between Reshapes by reference", "merge-reshapes", pixels_last, 0.23),
    Structure("RepVGG block", "fuse-parallel-branches", repvgg, 0.72),
    Structure("MobileOne block", "fuse-parallel-branches", mobileone, 0.26),
    Structure("convolution, and its input added", "fuse-parallel-branches", residual, 0.95),
    Structure("Deconvolution1D", "replace-1d-with-2d", vocoder, 0.04),
    Structure("ConvolutionDepthWise1D", "replace-1d-with-2d", depthwise_1d, 0.31),
    Structure("attention of one Gemm", "fuse-multiheadattention", spelled_attention, 0.94),
    Structure(
        "attention of 1,024 steps",
        "replace-multiheadattention-with-sdpa",
        long_attention,
        0.77,
        "x86",
    ),
    Structure("MixFFN", "replace-gemm-with-convolution", mix_ffn, 0.73),
    Structure("boxes of a detector", "replace-matmul-with-gemm", boxes, 0.08),
    Structure("231 channels, depthwise", "pad-channels", odd_channels, 0.57),
    Structure("squeeze and excitation", "eliminate-kept-axes", squeeze_and_excitation, 0.68),
    Structure("rotary embedding, repeated heads", "fuse-rotaryembed", grouped_heads, 0.71),
    Structure("LayerScale", "fuse-affine-through-layout", layer_scale, 0.92),
    Structure("two 1x1 convolutions", "fuse-convolution-convolution", two_pointwise, 0.17),
)


def _image(w: Writer, channels: int, size: int) -> str:
    """Return the result of a convolution of an input, so that the number of channels is statically
    known."""
    return w.conv(w.image(size), 3, channels, 1)


def _rows(w: Writer, features: int, steps: int) -> str:
    """Return a blob with a statically known number of rows."""
    x = w.layer("Input", [], f"0={features} 1={steps}")
    return w.layer("Reshape", x, f"0={features} 1={steps}")


def _gemm(w: Writer, x: str, c: int, n: int) -> str:
    """A linear layer on rows, with bias."""
    w.tagged(c * n, c**-0.5)
    w.tagged(n, 0.1)
    return w.layer("Gemm", x, f"3=1 5=1 6=1 8={n} 9={c} 10=4")


def _on_pixels(w: Writer, x: str, c: int, n: int) -> str:
    """A linear layer on each pixel of an image with the channels innermost."""
    x, like = w.split(x, 2)
    y = _gemm(w, w.layer("Reshape", x, '6="0w,-1"'), c, n)
    return w.layer("Reshape", [y, like], '6="0w,1h,1c"')


def _layer_norm(w: Writer, x: str, n: int) -> str:
    w.plain(n, 0.05, 1.0)
    w.plain(n, 0.1)
    return w.layer("LayerNorm", x, f"0={n} 1=1e-6 2=1")


def _prelu(w: Writer, x: str, n: int) -> str:
    w.plain(n, 0.05, 0.25)
    return w.layer("PReLU", x, f"0={n}")


def _heads(w: Writer, x: str, heads: int, features: int, steps: int) -> str:
    x = w.layer("Reshape", x, f"0={features} 1={heads} 2={steps}")
    return w.layer("Permute", x, f"0={HEADS_OUTSIDE}")


def _rotary(w: Writer, x: str, features: int, steps: int) -> str:
    """`x * cos + concat(-b, a) * sin` of the halves a and b."""
    x, y = w.split(x, 2)
    a, b = w.several("Slice", y, 2, "-23300=2,-233,-233 1=2")
    y = w.layer("Concat", [w.layer("UnaryOp", b, "0=1"), a], "0=2")
    cos, sin = (
        w.layer("Concat", w.split(w.memory((1, steps, features // 2), 1.0), 2), "0=2") for _ in "12"
    )
    return w.binary(ADD, w.binary(MUL, x, cos), w.binary(MUL, y, sin))


def _repeated(w: Writer, x: str, times: int, shape: tuple[int, int, int]) -> str:
    """Repeat each head `times` times."""
    x = w.layer("Tile", w.layer("ExpandDims", x, "-23303=1,1"), f"-23302=4,1,{times},1,1")
    return w.layer("Reshape", x, " ".join(f"{i}={n}" for i, n in enumerate(reversed(shape))))
