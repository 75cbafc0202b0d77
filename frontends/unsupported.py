"""Known file formats that cannot be read, with advice on conversion."""

import os
from collections.abc import Callable
from dataclasses import dataclass

from ..formats.errors import FormatError

PNNX = "convert it with pnnx (pip install pnnx)"


@dataclass(frozen=True)
class UnsupportedKind:
    """A known kind of file that cannot be read."""

    what: str
    advice: str
    """The advice; `{path}` is the file, `{stem}` its name without the suffix."""
    endings: tuple[str, ...]
    begins: Callable[[bytes], bool] = lambda data: False
    """Whether a file has the beginning of such a file."""


def _begins(*marks: bytes) -> Callable[[bytes], bool]:
    return lambda data: data.startswith(marks)


UNSUPPORTED = (
    UnsupportedKind(
        "an ONNX model",
        f"{PNNX}: pnnx {{path}}, which writes {{stem}}.ncnn.param",
        (".onnx",),
        # A protobuf: field 1 is the version of its IR, a small number; field 2 is the producer.
        lambda data: data[:1] == b"\x08" and data[2:3] == b"\x12",
    ),
    UnsupportedKind(
        "native code, not a model",
        "run it with ncnn-run, or read the model that it was compiled from",
        (".vmfb",),
    ),
    UnsupportedKind(
        "a header for C++, which can be written but not read",
        "give the .param that it was written from",
        (".h",),
        _begins(b"#ifndef NCNN_INCLUDE_GUARD_"),
    ),
    UnsupportedKind(
        "a PyTorch file",
        f"save the model by torch.jit.trace and {PNNX}: pnnx {{stem}}.pt inputshape=[1,3,224,224], "
        "which writes {stem}.ncnn.param",
        (".pt", ".pth", ".ptl"),
        _begins(b"PK\x03\x04", b"\x80\x02"),
    ),
    UnsupportedKind(
        "a TensorFlow Lite model",
        "convert it to ONNX (python -m tf2onnx.convert --tflite {path} --output {stem}.onnx), and "
        f"{PNNX}: pnnx {{stem}}.onnx",
        (".tflite",),
        lambda data: data[4:8] == b"TFL3",
    ),
    UnsupportedKind(
        "a Keras model",
        f"convert it to ONNX (python -m tf2onnx.convert), and {PNNX}",
        (".h5", ".keras"),
        _begins(b"\x89HDF"),
    ),
    UnsupportedKind("a TensorFlow graph", f"convert it to ONNX (tf2onnx), and {PNNX}", (".pb",)),
    UnsupportedKind(
        "a Caffe model", "convert it with ncnn's caffe2ncnn", (".caffemodel", ".prototxt")
    ),
    UnsupportedKind(
        "weights without a model",
        f"save the model by torch.jit.trace and {PNNX}",
        (".safetensors", ".npz"),
    ),
)
"""Distinguished by suffix, else by the beginning of the file."""


def check_supported(path: str, data: bytes = b"") -> None:
    """Raise `FormatError`, with advice, for a file of a known but unsupported kind."""
    stem, ending = os.path.splitext(path)
    if ending == ".bin":
        kinds = (f"{stem}.param", f"{stem}.param.bin", f"{stem}.mlir")
        beside = next((other for other in kinds if os.path.exists(other)), f"{stem}.param")
        raise FormatError(path, f"these are the weights of a model; read '{beside}' instead")
    named = (s for s in UNSUPPORTED if ending.lower() in s.endings)
    begun = (s for s in UNSUPPORTED if s.begins(data))
    found = next(named, None) or next(begun, None)
    if found is not None:
        advice = found.advice.format(path=path, stem=stem)
        raise FormatError(path, f"this is {found.what}; {advice}")
