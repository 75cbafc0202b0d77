"""Where fuzzing begins: small models of all layer types, and the texts of the lit tests."""

import re
import struct
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from ncnn_opt.dialects.ncnn import LAYERS
from ncnn_opt.dialects.ncnn.blob import element_count
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.driver.errors import USER_ERRORS
from ncnn_opt.formats.graph import MAGIC, Graph, ParamValue
from ncnn_opt.formats.param_text import read_param_text
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.frontends.param.model_reader import import_param
from ncnn_opt.targets.mlir.ir_printer import print_module
from ncnn_opt.targets.options import MlirOptions, WeightStyle
from ncnn_opt.targets.param.export import export_module
from ncnn_opt.transforms.storage.convert_storage import ConvertStorage
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from .readers import SEPARATOR

TESTS = Path(__file__).parents[1]
EXAMPLES = TESTS.parent / "examples"

LARGEST = 8192
"""Bytes of the largest seed: larger ones only make fuzzing slow."""

_EXTENTS = {1: (0,), 2: (1, 0), 3: (2, 1, 0), 4: (2, 11, 1, 0)}
_TYPE_INDEX = {cls.LAYER_TYPE: i for i, cls in enumerate(LAYERS)}


@cache
def seeds(reader: str) -> tuple[bytes, ...]:
    """The seeds of a reader, shortest first, in the same order in each process."""
    if reader == "param":
        found = [*params()]
    elif reader == "param.bin":
        found = [binary(read_param_text(text, "seed")) for text in params()]
    elif reader == "weights":
        found = [*weights()]
    else:
        found = [*mlirs()]
    some = {seed for seed in found if len(seed) <= LARGEST}
    return tuple(sorted(some, key=lambda seed: (len(seed), seed)))


def params() -> Iterator[bytes]:
    """Readable `.param` files: the examples, those of the lit tests, and a net for each layer of
    the tests of round trips, alone and with layers behind it."""
    files = [*EXAMPLES.glob("*.param"), *(TESTS / "filecheck").rglob("*.param")]
    texts = [path.read_bytes().split(b"\n\n")[0] + b"\n" for path in sorted(files)]
    for line in (TESTS / "differential" / "roundtrip.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            texts += one_layer(line)
    for text in texts:
        try:
            import_param(text, "seed", ReadOptions(weights="none"))
        except USER_ERRORS:
            continue
        yield text


def one_layer(line: str) -> list[bytes]:
    """Nets around a layer given as `Type shapes | params | outputs`."""
    head, *rest = (part.strip() for part in line.split("|"))
    kind, *shapes = head.split()
    params = rest[0] if rest else ""
    outputs = int(rest[1]) if len(rest) > 1 else 1
    lines: list[str] = []
    for i, shape in enumerate(shapes):
        extents = shape.split("x")
        said = " ".join(f"{id}={n}" for id, n in zip(_EXTENTS[len(extents)], extents, strict=True))
        lines.append(f"Input in{i} 0 1 in{i} {said}")
    bottoms = " ".join(f"in{i}" for i in range(len(shapes)))
    tops = " ".join(f"out{i}" for i in range(outputs))
    lines.append(f"{kind} layer {len(shapes)} {outputs} {bottoms} {tops} {params}")
    constant = [line.replace("Input ", "MemoryData ", 1) for line in lines]
    followers = [
        ["Split split 1 2 out0 a b", "Sigmoid s 1 1 a s", "BinaryOp mul 2 1 s b mul 0=2"],
        ["BinaryOp scale 1 1 out0 c 0=2 1=1 2=0.5", "ReLU relu 1 1 c relu"],
        ["Reshape flat 1 1 out0 f 0=-1", "Flatten again 1 1 f g"],
    ]
    nets = [net([*lines, *more]) for more in ([], *followers)]
    return [*nets, net(constant)]


def net(lines: list[str]) -> bytes:
    """A `.param` of these layers."""
    return "\n".join(["7767517", f"{len(lines)} {10 + len(lines)}", *lines, ""]).encode()


def weights() -> Iterator[bytes]:
    """Each of `params` with random weights."""
    for i, text in enumerate(params()):
        if (seed := with_weights(text, half=i % 4 == 3)) is not None:
            yield seed


def with_weights(text: bytes, half: bool) -> bytes | None:
    """A `.param` with random weights, of 16 bits where they can be; `None` if it cannot be read or
    they are more than a seed may hold."""
    try:
        module, _ = import_param(text, "seed", ReadOptions(weights="random"))
        if half:
            ConvertStorage("fp16").apply(Context(), module)
        export = export_module(module)
        if sum(element_count(c.output) for c in _constants(module)) > LARGEST // 4:
            return None
        with tempfile.TemporaryFile() as file:
            export.write_bin(file)
            file.seek(0)
            return export.param_text().encode() + SEPARATOR + file.read()
    except USER_ERRORS:
        return None


def binary(graph: Graph) -> bytes:
    """The `.param.bin` of a graph."""
    numbers = {blob: i for i, blob in enumerate(b for r in graph.layers for b in r.tops)}
    out = bytearray(struct.pack("<3i", MAGIC, len(graph.layers), len(numbers)))
    for record in graph.layers:
        index = _TYPE_INDEX.get(record.type, 256)
        out += struct.pack("<3i", index, len(record.bottoms), len(record.tops))
        for blob in (*record.bottoms, *record.tops):
            out += struct.pack("<i", numbers[blob])
        for id, value in record.params.items():
            out += _binary_param(id, value)
        out += struct.pack("<i", -233)
    return bytes(out)


def _binary_param(id: int, value: ParamValue) -> bytes:
    if value.is_str:
        text = value.text.encode()
        return struct.pack("<2i", -23400 - id, len(text)) + text + bytes(-len(text) % 4)
    if value.is_array:
        count = len(value.words)
        return struct.pack(f"<{2 + count}i", -23300 - id, count, *value.words)
    return struct.pack("<2i", id, value.words[0])


def mlirs() -> Iterator[bytes]:
    """The pieces of the lit tests without their comments, and the IR of each of `params`."""
    for path in sorted((TESTS / "filecheck").rglob("*.mlir")):
        for piece in path.read_text().split("// -----"):
            text = re.sub(r"(?m)^\s*//.*\n", "", piece).strip()
            # Only this file of weights is there when IR is read.
            yield re.sub(r'weight<"[^"]*"', 'weight<"w.bin"', text).encode() + b"\n"
    for i, text in enumerate(params()):
        if (seed := as_ir(text, i)) is not None:
            yield seed


def as_ir(text: bytes, style: int) -> bytes | None:
    """The IR of a `.param` in one of several styles; `None` if it cannot be read or its weights are
    too many."""
    try:
        random = "none" if style % 2 else "random"
        module, _ = import_param(text, "seed", ReadOptions(weights=random))
    except USER_ERRORS:
        return None
    large = sum(element_count(c.output) for c in _constants(module)) > LARGEST // 4
    inline = WeightStyle.INLINE if style % 3 == 0 and not large else WeightStyle.ELIDE
    return print_module(module, MlirOptions(inline, generic=style % 5 == 0)).encode()


def _constants(module: ModuleOp) -> Iterator[ConstantOp]:
    return (op for op in module.walk() if isinstance(op, ConstantOp))
