"""Models that detect objects in images, and models from image to image."""

from pathlib import Path

from .writer import ADD, MUL, ROWS, SUB, Writer


def detector(path: Path) -> Path:
    """4 MB: Swish spelled out, feature levels joined, boxes as rows."""
    w = Writer(path)

    def block(x: str, c: int, n: int, k: int, stride: int = 1, group: int = 1) -> str:
        return w.swish(w.batchnorm(w.conv(x, c, n, k, stride, k // 2, group), n))

    def apart(x: str, c: int, n: int, stride: int = 1) -> str:
        return block(block(x, c, c, 3, stride, c), c, n, 1)

    x = block(block(w.image(320), 3, 16, 3, 2), 16, 32, 3, 2)
    levels: list[str] = []
    c = 32
    for n, count in ((64, 2), (128, 3), (256, 2)):
        x, c = apart(x, c, n, 2), n
        for _ in range(count):
            x, skip = w.split(x, 2)
            x = w.binary(ADD, block(block(x, c, c // 2, 1), c // 2, c, 3), skip)
        level = x
        if n < 256:
            x, level = w.split(x, 2)
        levels.append(block(level, n, 64, 1))
    merged = [levels.pop()]
    for level in reversed(levels):
        above, below = w.split(merged[-1], 2)
        merged[-1] = above
        below = w.layer("Interp", below, "0=1 1=2.0 2=2.0")
        merged.append(apart(w.layer("Concat", [level, below], "0=0"), 128, 64))
    rows: list[str] = []
    for x in merged:
        a, b = w.split(apart(x, 64, 64), 2)
        found = [w.layer("Sigmoid", w.conv_bias(a, 64, 80, 1)), w.conv_bias(b, 64, 4, 1)]
        x = w.layer("Reshape", w.layer("Concat", found, "0=0"), "0=-1 1=84")
        rows.append(w.layer("Permute", x, f"0={ROWS}"))
    w.layer("Concat", rows, "0=0")
    return w.close()


def unet(path: Path) -> Path:
    """2 MB: layers that normalize pixels, Padding, Deconvolution, levels joined, scaled back."""
    w = Writer(path)

    def block(x: str, c: int, n: int, k: int = 3, stride: int = 1) -> str:
        if stride == 1:
            x = w.conv(x, c, n, k, pad=k // 2)
        else:  # as TensorFlow pads
            x = w.conv(w.layer("Padding", x, "0=0 1=1 2=0 3=1 4=0 5=0.0"), c, n, k, stride)
        return prelu(w.batchnorm(x, n))

    def prelu(x: str) -> str:
        w.plain(1, 0.0, 0.25)
        return w.layer("PReLU", x, "0=1")

    x = w.binary(MUL, w.image(128), 1 / 255)
    x = w.binary(SUB, x, w.memory((3, 1, 1), 0.02, 0.45))
    x, c = block(w.binary(MUL, x, w.memory((3, 1, 1), 0.1, 4.4)), 3, 16), 16
    skips: list[tuple[str, int]] = []
    for n in (32, 64, 128):
        x, skip = w.split(x, 2)
        skips.append((skip, c))
        x, c = block(block(x, c, n, stride=2), n, n), n
    for skip, n in reversed(skips):
        x = prelu(w.batchnorm(w.deconv(x, c, n, 2, 2), n))
        x, c = block(block(w.layer("Concat", [x, skip], "0=0"), 2 * n, n), n, n), n
    x = w.layer("Sigmoid", w.conv_bias(x, c, 3, 3, pad=1))
    w.binary(MUL, x, 255.0)
    return w.close()
