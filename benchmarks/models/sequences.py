"""Models for lines of text and for sound."""

from pathlib import Path

from .writer import ROWS, Writer


def crnn(path: Path) -> Path:
    """8 MB: an image of a line as a sequence, LSTM."""
    w = Writer(path)
    x, c = w.layer("Input", [], "0=128 1=32 2=1"), 1
    for n, pool in (
        (32, "2"),
        (64, "2"),
        (128, ""),
        (128, "2 12=1 11=2"),
        (256, ""),
        (256, "1 11=4"),
    ):
        x, c = w.layer("ReLU", w.batchnorm(w.conv(x, c, n, 3, pad=1), n)), n
        if pool:
            x = w.layer("Pooling", x, f"0=0 1={pool} 2={pool.split()[0]}")
    x = w.layer("Permute", w.layer("Reshape", x, f"0=-1 1={c}"), f"0={ROWS}")
    x = w.lstm(w.lstm(x, c, 128), 256, 128)
    w.layer("Softmax", w.dense(x, 256, 96), "0=1 1=1")
    return w.close()


def keywords(path: Path) -> Path:
    """1 MB: 1-D convolutions over the bands of a spectrum."""
    w = Writer(path)

    def block(x: str, c: int, n: int, k: int, stride: int = 1, group: int = 1) -> str:
        return w.batchnorm(w.conv1d(x, c, n, k, stride, k // 2, group), n)

    x, c = w.layer("ReLU", block(w.layer("Input", [], "0=98 1=40"), 40, 64, 3)), 64
    for n, stride in ((96, 2), (96, 1), (128, 2), (128, 1), (192, 2), (192, 1)):
        residual = stride == 1
        x, skip = w.split(x, 2) if residual else (x, "")
        x = w.layer("ReLU", block(block(x, c, c, 9, stride, c), c, n, 1))
        x = block(block(x, n, n, 9, 1, n), n, n, 1)
        x, c = w.layer("ReLU", w.layer("Eltwise", [x, skip], "0=1") if residual else x), n
    x = w.layer("Flatten", w.layer("Pooling1D", x, "0=1 4=1"))
    w.layer("Softmax", w.linear(w.layer("Dropout", x), c, 12))
    return w.close()
