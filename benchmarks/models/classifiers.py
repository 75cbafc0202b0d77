"""Classifiers of images, from Caffe, and from PyTorch with spelled-out layers."""

from pathlib import Path

from .writer import ADD, Writer


def squeezenet(path: Path) -> Path:
    """5 MB: convolutions and ReLUs."""
    w = Writer(path)

    def fire(x: str, c: int, s: int, e: int) -> str:
        x = w.layer("ReLU", w.conv_bias(x, c, s, 1))
        a, b = w.split(x, 2)
        a = w.layer("ReLU", w.conv_bias(a, s, e, 1))
        b = w.layer("ReLU", w.conv_bias(b, s, e, 3, pad=1))
        return w.layer("Concat", [a, b])

    x = w.layer("ReLU", w.conv_bias(w.image(227), 3, 64, 3, 2))
    c = 64
    for i, (s, e) in enumerate(
        [(16, 64), (16, 64), (32, 128), (32, 128), (48, 192), (48, 192), (64, 256), (64, 256)]
    ):
        if i in (0, 2, 4):
            x = w.layer("Pooling", x, "0=0 1=3 2=2")
        x, c = fire(x, c, s, e), 2 * e
    x = w.layer("ReLU", w.conv_bias(w.layer("Dropout", x), c, 1000, 1))
    w.layer("Softmax", w.layer("Pooling", x, "0=1 4=1"))
    return w.close()


def mobilenet_v2(path: Path) -> Path:
    """14 MB: depthwise convolutions, BatchNorm, Scale, Clip."""
    w = Writer(path)

    def block(
        x: str, c: int, n: int, k: int, stride: int, group: int = 1, clip: bool = True
    ) -> str:
        x = w.norm(w.conv(x, c, n, k, stride, k // 2, group), n)
        return w.layer("Clip", x, "0=0.0 1=6.0") if clip else x

    x = block(w.image(), 3, 32, 3, 2)
    c = 32
    for t, n, count, first in (
        *((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2)),
        *((6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)),
    ):
        for i in range(count):
            residual = i > 0
            skip = ""
            if residual:
                x, skip = w.split(x, 2)
            y = x if t == 1 else block(x, c, c * t, 1, 1)
            y = block(y, c * t, c * t, 3, first if i == 0 else 1, c * t)
            y = block(y, c * t, n, 1, 1, clip=False)
            x, c = (w.layer("BinaryOp", [y, skip], "0=0") if residual else y), n
    x = w.layer("Pooling", block(x, c, 1280, 1, 1), "0=1 4=1")
    w.layer("Softmax", w.linear(w.layer("Dropout", x), 1280, 1000))
    return w.close()


def resnet50(path: Path) -> Path:
    """102 MB: convolutions, BatchNorm, Scale, ReLU, sums."""
    w = Writer(path)

    def block(x: str, c: int, n: int, k: int, stride: int = 1, relu: bool = True) -> str:
        x = w.norm(w.conv(x, c, n, k, stride, k // 2), n)
        return w.layer("ReLU", x) if relu else x

    x = w.layer("Pooling", block(w.image(), 3, 64, 7, 2), "0=0 1=3 2=2 3=1 5=1")
    c = 64
    for n, count, first in ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)):
        for i in range(count):
            stride = first if i == 0 else 1
            a, b = w.split(x, 2)
            y = block(block(a, c, n, 1), n, n, 3, stride)
            y = block(y, n, 4 * n, 1, relu=False)
            skip = block(b, c, 4 * n, 1, stride, relu=False) if i == 0 else b
            x, c = w.layer("ReLU", w.layer("Eltwise", [y, skip], "0=1")), 4 * n
    w.layer("Softmax", w.linear(w.layer("Pooling", x, "0=1 4=1"), 2048, 1000))
    return w.close()


def vgg16(path: Path) -> Path:
    """553 MB: few layers, most of it one weight."""
    w = Writer(path)
    x, c = w.image(), 3
    for n, count in ((64, 2), (128, 2), (256, 3), (512, 3), (512, 3)):
        for _ in range(count):
            x, c = w.layer("ReLU", w.conv_bias(x, c, n, 3, pad=1)), n
        x = w.layer("Pooling", x, "0=0 1=2 2=2")
    x = w.layer("Dropout", w.layer("ReLU", w.linear(x, 512 * 7 * 7, 4096)))
    x = w.layer("Dropout", w.layer("ReLU", w.linear(x, 4096, 4096)))
    w.layer("Softmax", w.linear(x, 4096, 1000))
    return w.close()


def mobilenet_v3(path: Path) -> Path:
    """10 MB: HardSwish and HardSigmoid spelled out, squeeze and excitation."""
    w = Writer(path)

    def block(x: str, c: int, n: int, k: int, stride: int = 1, group: int = 1) -> str:
        return w.batchnorm(w.conv(x, c, n, k, stride, k // 2, group), n)

    def activation(x: str, hard: bool) -> str:
        return w.hard_swish(x) if hard else w.layer("ReLU", x)

    x, c = w.hard_swish(block(w.image(), 3, 16, 3, 2)), 16
    for i, (k, wide, n, squeeze, hard, stride) in enumerate(
        [
            (3, 16, 16, True, False, 2),
            (3, 72, 24, False, False, 2),
            (3, 88, 24, False, False, 1),
            (5, 96, 40, True, True, 2),
            (5, 240, 40, True, True, 1),
            (5, 240, 40, True, True, 1),
            (5, 120, 48, True, True, 1),
            (5, 144, 48, True, True, 1),
            (5, 288, 96, True, True, 2),
            (5, 576, 96, True, True, 1),
            (5, 576, 96, True, True, 1),
        ]
    ):
        residual = stride == 1 and c == n
        x, skip = w.split(x, 2) if residual else (x, "")
        x = activation(block(x, c, wide, 1), hard)
        x = activation(block(x, wide, wide, k, stride, wide), hard)
        if squeeze:
            x = w.squeeze_excite(x, wide, wide // 4, by_reduction=i % 2 == 0)
        x = block(x, wide, n, 1)
        x, c = w.binary(ADD, x, skip) if residual else x, n
    x = w.hard_swish(block(x, c, 576, 1))
    x = w.layer("Flatten", w.mean(x, (1, 2)))
    x = w.layer("Dropout", w.hard_swish(w.linear(x, 576, 1024)))
    w.layer("Softmax", w.linear(x, 1024, 1000))
    return w.close()


def shufflenet_v2(path: Path) -> Path:
    """9 MB: Slice, Concat, channels shuffled by Reshape and Permute."""
    w = Writer(path)

    def block(x: str, c: int, n: int, k: int, stride: int = 1, group: int = 1) -> str:
        return w.batchnorm(w.conv(x, c, n, k, stride, k // 2, group), n)

    def branch(x: str, c: int, n: int, stride: int) -> str:
        x = w.layer("ReLU", block(x, c, n, 1))
        return w.layer("ReLU", block(block(x, n, n, 3, stride, n), n, n, 1))

    x = w.layer("ReLU", block(w.image(), 3, 24, 3, 2))
    x, c, size = w.layer("Pooling", x, "0=0 1=3 2=2 3=1 5=1"), 24, 56
    for n, count in ((116, 4), (232, 8), (464, 4)):
        size //= 2
        for i in range(count):
            if i == 0:
                a, b = w.split(x, 2)
                a = w.layer("ReLU", block(block(a, c, c, 3, 2, c), c, n // 2, 1))
                b = branch(b, c, n // 2, 2)
            else:
                a, b = w.several("Slice", x, 2, "-23300=2,-233,-233 1=0")
                b = branch(b, n // 2, n // 2, 1)
            x, c = w.shuffle(w.layer("Concat", [a, b], "0=0"), n, size), n
    x = w.layer("ReLU", block(x, c, 1024, 1))
    w.layer("Softmax", w.linear(w.mean(x, (1, 2), keep=False), 1024, 1000))
    return w.close()
