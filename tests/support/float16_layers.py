"""The layers that break in float16: by themselves, for the blobs of an engine."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from ncnn_opt.analysis.float16.emulation import Setting, walk
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.lookup import layers_of
from ncnn_opt.interpreters.ncnn import evaluate
from ncnn_opt.interpreters.run import blobs_of
from ncnn_opt.transforms.float16_safety.float16_errors import BROKEN, error_of
from numpy.typing import NDArray
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

Array = NDArray[Any]

REAL = ("mtcnn_det3", "ultraface_rfb_320", "ppocrv5_mobile_det")
"""Published models. `NCNN_OPT_MODELS` names the folder with their files."""

FONT = {
    "A": "0e11111f111111",
    "E": "1f10101e10101f",
    "N": "11191513111111",
    "O": "0e11111111110e",
    "S": "0f10100e01011e",
    "T": "1f040404040404",
    "X": "11110a040a1111",
    "7": "1f010204080808",
}
"""Letters of 5x7 pixels: a byte for each row."""


def page(*lines: str) -> Array:
    """An image of 64x96 pixels with dark text, as a text detector gets it."""
    image = np.full((64, 96), 235.0)
    for y, line in enumerate(lines):
        for x, letter in enumerate(line):
            rows = bytes.fromhex(FONT[letter]) if letter in FONT else bytes(7)
            dark = np.unpackbits(np.frombuffer(rows, np.uint8)[:, None], axis=1)[:, 3:]
            image[6 + 13 * y : 13 + 13 * y, 6 + 6 * x : 11 + 6 * x] -= 200.0 * dark
    mean, deviation = np.array([[0.485, 0.456, 0.406], [0.229, 0.224, 0.225]])[:, :, None, None]
    return ((image / 255 - mean) / deviation).astype("f4")


def inputs_of(name: str) -> Mapping[str, Array]:
    """The inputs of a published model, by kind."""
    r = np.random.default_rng(0)
    if name == "ppocrv5_mobile_det":
        text = page("TEXT ON A", "SEAT 707", "SEN SEA")
        return {"text": text, "noise": r.standard_normal((3, 64, 96)).astype("f4")}
    shape = (3, 48, 48) if name == "mtcnn_det3" else (3, 240, 320)
    return {"noise": r.uniform(-1, 1, shape).astype("f4")}


def names_by_blob(func: FuncOp) -> Mapping[SSAValue, str]:
    """The names of the blobs of a model."""
    return {value: name for name, value in blobs_of(func).items()}


def emulated(func: FuncOp, inputs: Mapping[str, Array], setting: Setting) -> Mapping[str, Array]:
    """The blobs of a model in emulated float16."""
    names, found = names_by_blob(func), dict(inputs)
    for step, _ in walk(func, inputs, setting):
        results = zip(step.op.results, step.results, strict=True)
        found |= {names[blob]: values for blob, values in results}
    return found


def breaking(func: FuncOp, blobs: Mapping[str, Array]) -> Mapping[LayerOp, bool]:
    """Whether each layer overflows or loses accuracy by itself for the blobs of an engine, without
    layers that read a blob that is not finite."""
    names, found = names_by_blob(func), dict[LayerOp, bool]()
    for op in layers_of(func):
        if isinstance(op, ConstantOp):
            continue
        given = [_read(blobs, names, v) for v in op.operands]
        if not all(np.isfinite(v).all() for v in given if v.dtype.kind == "f"):
            continue
        with np.errstate(all="ignore"):
            expected = evaluate(op, given)
        made = [blobs[names[v]].reshape(e.shape) for v, e in zip(op.results, expected, strict=True)]
        found[op] = any(error_of(a, b) > BROKEN for a, b in zip(made, expected, strict=True))
    return found


def _read(blobs: Mapping[str, Array], names: Mapping[SSAValue, str], blob: SSAValue) -> Array:
    if isinstance(blob.owner, ConstantOp):
        values: Array = np.asarray(blob.owner.read())
        return values.astype("f4") if values.dtype.kind == "f" else values
    return blobs[names[blob]]


def real_model(folder: str | None, name: str) -> Path | None:
    """The `.param` of a published model, if it is there."""
    path = Path(folder or "", f"{name}.param")
    return path if folder and path.is_file() else None
