"""Files made after ncnn's advisories of 2026: each violates one bound that a release of the runtime
did not check."""

import struct
from typing import NamedTuple

MAGIC = 7767517
END = -233
INPUT, SPLIT, INNER_PRODUCT, RELU = 16, 32, 15, 26
"""The indices of layer types in a `.param.bin`."""


class Case(NamedTuple):
    """A file, and the words of the audit about it."""

    advisory: str
    param: bytes
    words: str
    weights: bytes = b""
    binary: bool = False


def text(*layers: str, blobs: int | None = None, count: int | None = None) -> bytes:
    """A `.param` of these layers, with true counts unless others are given."""
    tops = sum(int(layer.split()[3]) for layer in layers)
    header = f"{len(layers) if count is None else count} {tops if blobs is None else blobs}"
    return "\n".join([str(MAGIC), header, *layers, ""]).encode()


def words(*numbers: int) -> bytes:
    """A `.param.bin` of these numbers."""
    return struct.pack(f"<{len(numbers)}i", *numbers)


DATA = "Input data 0 1 data 0=4"
ROWS = "Input data 0 1 data 0=4 1=3"
MAPS = "Input data 0 1 data 0=8 1=8 2=4"
RELU_LINE = "ReLU relu 1 1 data out"


def behind(layer: str, first: str = DATA) -> bytes:
    """A `.param` of an input and a layer."""
    return text(first, layer)


CASES = {
    "few-blobs": Case(
        "6913", text(DATA, RELU_LINE, blobs=1), "declares 1 blobs, but the layers have 2"
    ),
    "no-blobs": Case("6913", text(DATA, RELU_LINE, blobs=0), "0 is not a valid number of blobs"),
    "all-layers": Case("6922", text(DATA, count=2**31 - 1), "not a valid number of layers"),
    "all-blobs": Case("6922", text(DATA, blobs=2**31 - 1), "not a valid number of blobs"),
    "negative-inputs": Case("6686", text("ReLU relu -1 1 out"), "number of inputs"),
    "negative-outputs": Case("6686", text("ReLU relu 0 -1 out", blobs=1), "number of outputs"),
    "many-outputs": Case("6922", text(f"Noop x 0 {2**31 - 1} a", blobs=1), "number of outputs"),
    "hint-without-output": Case(
        "6922", text(DATA, "Noop sink 1 0 data -23330=4,1,4,1,1"), "shape_hints: there is no output"
    ),
    "short-hint": Case("6922", behind("ReLU r 1 1 data out -23330=2,3,4"), "shape hints"),
    "id-32": Case("6686", behind("ReLU r 1 1 data out 32=1"), "32 is not a parameter id"),
    "id-of-array": Case("6686", behind("ReLU r 1 1 data out -23340=1,1"), "is not a parameter id"),
    "negative-id": Case("6686", behind("ReLU r 1 1 data out -5=1"), "-5 is not a parameter id"),
    "huge-array": Case(
        "6914", behind("Slice s 1 1 data out -23300=1000000000,1"), "an array of length 1000000000"
    ),
    "negative-array": Case("6914", behind("Slice s 1 1 data out -23300=-7,1"), "an array length"),
    "open-string": Case("6915", behind('Reshape r 1 1 data out 6="'), "without its closing quote"),
    "long-string": Case("6915", behind(f'Reshape r 1 1 data out 6="{"1" * 400}"'), "400 bytes"),
    "long-name": Case("6915", behind(f"ReLU {'r' * 300} 1 1 data out"), "300 bytes"),
    "text-as-int": Case("6915", behind("Reorg r 1 1 data out 0=abc", MAPS), "stride: parameter 0"),
    "window-beyond-frame": Case(
        "6939", behind("Spectrogram s 1 1 data out 0=4 3=64"), "winlen 64 is not in 1 to n_fft 4"
    ),
    "frame-of-nothing": Case("6939", behind("Spectrogram s 1 1 data out 0=-8"), "winlen"),
    "reflected-beyond-samples": Case(
        "6939", behind("Spectrogram s 1 1 data out 0=64"), "n_fft: 4 samples are too few"
    ),
    "box-beyond-blob": Case(
        "7008",
        text(ROWS, "Input box 0 1 box 0=2 1=2", "CopyTo c 2 1 data box out 0=100000"),
        "CopyTo 'c': offset: a box of 2,2 at (0, 100000) leaves a blob of 3,4",
    ),
    "box-before-blob": Case(
        "7008", text(ROWS, "Input box 0 1 box 0=2 1=2", "CopyTo c 2 1 data box out 1=-7"), "leaves"
    ),
    "negative-pad": Case(
        "7008", behind("Padding p 1 1 data out 2=-100", ROWS), "left: -100 is negative"
    ),
    "tiled-beyond-int": Case(
        "7008", behind("Tile t 1 1 data out -23302=2,65536,65536", ROWS), "Tile 't': output"
    ),
    "weight-beyond-int": Case(
        "7008", text("MemoryData m 0 1 out 0=65536 1=65537 2=65536"), "MemoryData 'm'", bytes(64)
    ),
    "division-by-outputs": Case(
        "6686", behind("InnerProduct fc 1 1 data out 0=0 2=4"), "InnerProduct 'fc'", bytes(20)
    ),
    "integers-as-floats": Case(
        "6686",
        behind("InnerProduct fc 1 1 data out 0=2 2=8"),
        "weight 'weight': its elements are int8",
        struct.pack("<I", 0x000D4B38) + bytes(8),
    ),
    "short-weights": Case("6686", behind("InnerProduct fc 1 1 data out 0=2 2=8"), "fc", bytes(8)),
    "wrong-channels": Case(
        "6686",
        behind("Convolution c 1 1 data out 0=2 1=1 6=4", MAPS),
        "the layer takes 2,?,? or 2 by its weights, and gets 4,8,8",
        bytes(20),
    ),
    "two-readers": Case(
        "6686", text(DATA, "ReLU a 1 1 data x", "ReLU b 1 1 data y"), "without a Split"
    ),
    "two-producers": Case("6686", text(DATA, "ReLU r 1 1 data data"), "already produces"),
    "reads-later-blob": Case("6913", text("ReLU r 1 1 out out"), "no earlier layer produces"),
    "no-groups": Case("7008", behind("ShuffleChannel s 1 1 data out 0=0", MAPS), "group is 0"),
    "axis-beyond-blob": Case("7008", behind("Concat c 1 1 data out 0=3", ROWS), "Concat 'c'"),
    "no-anchors": Case(
        "7008",
        behind("Yolov3DetectionOutput y 1 1 data out 0=1 1=1 -23305=1,99", MAPS),
        "Yolov3DetectionOutput 'y'",
    ),
    "deep": Case(
        "6922",
        text(
            DATA, *(f"ReLU r{i} 1 1 {'data' if i == 0 else f'b{i - 1}'} b{i}" for i in range(5000))
        ),
        "a chain of more than 4096 layers",
    ),
    "layer-in-two-lines": Case(
        "6922", text(DATA, RELU_LINE).replace(b"data 0 1", b"data\n0 1"), "one whole layer"
    ),
    "number-after-layers": Case(
        "6922", text(DATA, RELU_LINE) + b"31=1\n", "a number after the last layer"
    ),
    "tab-in-parameters": Case(
        "6915", behind("ReLU r 1 1 data out 0=0\t1=5"), "a control character (0x09)"
    ),
    "binary-input": Case(
        "6902",
        words(MAGIC, 2, 2, INPUT, 0, 1, 0, END, RELU, 1, 1, 0x09090909, 1, END),
        "blob",
        binary=True,
    ),
    "binary-output": Case(
        "6937",
        words(MAGIC, 2, 2, INPUT, 0, 1, 0, END, RELU, 1, 1, 0, -1, END),
        "blob",
        binary=True,
    ),
    "binary-negative-count": Case(
        "6902", words(MAGIC, 1, 1, INPUT, 0, -1), "number of outputs", binary=True
    ),
    "binary-id": Case(
        "6686", words(MAGIC, 1, 1, INPUT, 0, 1, 0, 77, 1, END), "parameter", binary=True
    ),
    "binary-array": Case(
        "6914", words(MAGIC, 1, 1, INPUT, 0, 1, 0, -23303, 2**31 - 1), "array", binary=True
    ),
}
"""The files by name."""
