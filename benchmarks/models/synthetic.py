"""Models of any size, to measure the growth of time."""

from pathlib import Path

from .writer import Writer


def chain(path: Path, layers: int) -> Path:
    """A chain of `layers` layers: 1×1 convolutions, each with a BatchNorm and a ReLU that fuse."""
    w = Writer(path)
    x = w.image(8, 4)
    for i in range(layers - 1):
        match i % 3:
            case 0:
                x = w.conv(x, 4, 4, 1)
            case 1:
                for scale, shift in ((0.0, 1.0), (0.1, 0.0), (0.05, 1.0), (0.1, 0.0)):
                    w.plain(4, scale, shift)
                x = w.layer("BatchNorm", x, "0=4")
            case _:
                x = w.layer("ReLU", x)
    return w.close()


def wide_split(path: Path, consumers: int) -> Path:
    """A blob with a number of different consumers, and an output."""
    w = Writer(path)
    for i, blob in enumerate(w.split(w.image(4, 4), consumers)):
        w.layer("ReLU", w.layer("BinaryOp", blob, f"0=0 1=1 2={i}.5"))
    return w.close()


def wide_concat(path: Path, inputs: int) -> Path:
    """A Concat of a number of blobs."""
    w = Writer(path)
    blobs = [w.layer("BinaryOp", w.image(4, 4), f"0=0 1=1 2={i}.5") for i in range(inputs)]
    w.layer("Concat", blobs)
    return w.close()
