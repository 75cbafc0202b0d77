"""Files that people take for ncnn models: what they are, and how they become such."""

import os
from collections.abc import Callable
from dataclasses import dataclass

from ..formats.errors import FormatError

PNNX = "convert it with pnnx (pip install pnnx)"


@dataclass(frozen=True)
class Stranger:
    """A kind of file that is not read here."""

    what: str
    advice: str
    """What to do; `{path}` is the file, `{stem}` its name without the ending."""
    endings: tuple[str, ...]
    begins: Callable[[bytes], bool] = lambda data: False
    """Whether a file begins like one."""


def _begins(*marks: bytes) -> Callable[[bytes], bool]:
    return lambda data: data.startswith(marks)


STRANGERS = (
    Stranger(
        "an ONNX model",
        f"{PNNX}: pnnx {{path}}, which writes {{stem}}.ncnn.param",
        (".onnx",),
        # A protobuf: field 1 is the version of its IR, a small number; field 2 is who made it.
        lambda data: data[:1] == b"\x08" and data[2:3] == b"\x12",
    ),
    Stranger(
        "native code, no model any more",
        "ncnn-run runs it; what is read is the model that it was made of",
        (".vmfb",),
    ),
    Stranger(
        "a PyTorch file",
        f"save the model by torch.jit.trace and {PNNX}: pnnx {{stem}}.pt inputshape=[1,3,224,224], "
        "which writes {stem}.ncnn.param",
        (".pt", ".pth", ".ptl"),
        _begins(b"PK\x03\x04", b"\x80\x02"),
    ),
    Stranger(
        "a TensorFlow Lite model",
        "make it ONNX (python -m tf2onnx.convert --tflite {path} --output {stem}.onnx), and "
        f"{PNNX}: pnnx {{stem}}.onnx",
        (".tflite",),
        lambda data: data[4:8] == b"TFL3",
    ),
    Stranger(
        "a Keras model",
        f"make it ONNX (python -m tf2onnx.convert), and {PNNX}",
        (".h5", ".keras"),
        _begins(b"\x89HDF"),
    ),
    Stranger("a TensorFlow graph", f"make it ONNX (tf2onnx), and {PNNX}", (".pb",)),
    Stranger(
        "a Caffe model",
        "convert it with ncnn's caffe2ncnn",
        (".caffemodel", ".prototxt"),
    ),
    Stranger(
        "weights without a model",
        f"save the model by torch.jit.trace and {PNNX}",
        (".safetensors", ".npz"),
    ),
)
"""Told apart by their endings, else by how they begin."""


def check_familiar(path: str, data: bytes = b"") -> None:
    """Raises `FormatError` for a file that is no model of a kind that is read, but is known, with
    what to do."""
    stem, ending = os.path.splitext(path)
    if ending == ".bin":
        kinds = (f"{stem}.param", f"{stem}.param.bin", f"{stem}.mlir")
        beside = next((other for other in kinds if os.path.exists(other)), f"{stem}.param")
        raise FormatError(path, f"these are the weights of a model; what is read is '{beside}'")
    named = (s for s in STRANGERS if ending.lower() in s.endings)
    begun = (s for s in STRANGERS if s.begins(data))
    found = next(named, None) or next(begun, None)
    if found is not None:
        advice = found.advice.format(path=path, stem=stem)
        raise FormatError(path, f"this is {found.what}; {advice}")
