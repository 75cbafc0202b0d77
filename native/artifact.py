"""Compiled models as files: `m.vmfb`, its description `m.vmfb.json`, and the weights that passes
created, `m.vmfb.bin`.

Unchanged weights stay in the `.bin` of the model; the JSON contains their places. Its members:

- `format`: 1;
- `target`: the target of the code, one of `TARGETS`;
- `code`: `size` and `sha256` of the `.vmfb`, whose function `main` is called;
- `inputs`, `results`: `name`, `dtype` (NumPy's name) and `shape` (`null` for a dynamic extent) of
  the arguments and results of `main`; `is_index` is `true` for int32 indices, whose bits `main`
  takes in elements of `dtype`;
- `outputs`: the names of the model's outputs;
- `files`: `path` (relative to the folder of the JSON) and `size` of the files with weights;
- `parameters`: for each weight its `key` in the scope `model`, the number of its `file`, `offset`
  and `size` in bytes;
- `tail`: `null`, or the IR that computes the outputs from the results and the inputs.
"""

import json
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp, bf16, f16, f32, i8, i32
from xdsl.dialects.func import Func
from xdsl.utils.exceptions import DiagnosticException, ParseError

from ..dialects.fused import FUSED
from ..dialects.ncnn import NCNN
from ..dialects.ncnn.function import inputs_of, output_names
from ..dialects.ncnn.lookup import model_of
from ..dialects.ncnn.weights import dtype_of
from ..formats.errors import FormatError, parsing
from ..frontends.mlir.parsing import parse_ir, verify_ir
from ..targets.atomic_files import OutputFiles, naming
from ..targets.mlir.ir_printer import print_module
from ..targets.options import MlirOptions, WeightStyle
from ..targets.output_checks import OutputError, same_place
from . import TARGETS
from .errors import NativeError
from .lowering import Port
from .parameters import Parameter, WeightFile, WeightSlice, copied
from .program import Compiled

FORMAT = 1

DTYPES = tuple(map(dtype_of, (f32, f16, bf16, i32, i8)))
"""The dtypes of inputs and results."""

ENDING = ".vmfb"
"""The ending of the file with the code."""


def beside(path: str) -> tuple[str, str]:
    """Return the other files of a `.vmfb`: its description and its new weights."""
    return f"{path}.json", f"{path}.bin"


def save(compiled: Compiled, path: str, copy: bool = False) -> list[str]:
    """Write a compiled model: all files or none. Weights that no pass created stay where they are
    unless `copy` is set. Returns the written files. Raises `OutputError` if weights that are read
    would be replaced, `WeightError`, and `OSError`."""
    description, weights = beside(path)
    check_sources(compiled.parameters, (path, description, weights))
    moved = [each for each in compiled.parameters if copy or each.is_new]
    written = [path, description]
    with naming(path), OutputFiles() as files:
        places = {each.key: each for each in compiled.parameters}
        if moved:
            stream = files.create(weights, "wb")
            places |= {e.key: e for e in copied(moved, stream, os.path.abspath(weights))}
            written.insert(1, weights)
        files.create(path, "wb").write(compiled.code)
        text = json.dumps(_described(compiled, list(places.values()), path), indent=1)
        files.create(description, "w").write(text + "\n")
    return written


def check_sources(parameters: Iterable[Parameter], targets: Sequence[str]) -> None:
    """Raise `OutputError` if weights that are read would be replaced."""
    for source in {each.place.file.path for each in parameters if not each.is_new}:
        for target in targets:
            if same_place(source, target):
                raise OutputError(f"'{target}' contains weights that are read; use another name")


def _described(compiled: Compiled, places: Sequence[Parameter], path: str) -> Mapping[str, Any]:
    folder = os.path.dirname(os.path.realpath(path))
    files = list(dict.fromkeys(each.place.file for each in places))
    return {
        "format": FORMAT,
        "target": compiled.target,
        "code": {"size": len(compiled.code), "sha256": sha256(compiled.code).hexdigest()},
        "inputs": [_port_facts(port) for port in compiled.inputs],
        "results": [_port_facts(port) for port in compiled.results],
        "outputs": list(compiled.outputs),
        "files": [{"path": os.path.relpath(f.path, folder), "size": f.size} for f in files],
        "parameters": [
            {
                "key": each.key,
                "file": files.index(each.place.file),
                "offset": each.place.offset,
                "size": each.size,
            }
            for each in places
        ],
        "tail": None
        if compiled.tail is None
        else print_module(compiled.tail, MlirOptions(WeightStyle.INLINE)),
    }


def _port_facts(port: Port) -> Mapping[str, Any]:
    return {key: value for key, value in asdict(port).items() if key != "is_index" or value}


def load(path: str) -> Compiled:
    """Return the compiled model of a `.vmfb`. Raises `FormatError` if a file does not match its
    description, `NativeError` for another format version or without a description, and
    `OSError`."""
    description, _ = beside(path)
    with open(path, "rb") as f:
        code = f.read()
    try:
        with open(description, "rb") as f:
            data = f.read()
    except FileNotFoundError as e:
        raise NativeError(
            f"'{path}' has no '{description}', which ncnn-compile writes beside a .vmfb and which "
            "describes its inputs, outputs and weights: copy both, or compile the model again"
        ) from e
    documented = NativeError, ParseError, DiagnosticException
    with parsing(description, "the file does not describe a compiled model", *documented):
        described = json.loads(data)
        version = described["format"]
        if version != FORMAT:
            raise NativeError(
                f"{description}: format {version} is not {FORMAT}; compile the model again"
            )
        if described["code"]["sha256"] != sha256(code).hexdigest():
            raise NativeError(f"'{description}' does not describe '{path}'")
        files = [_file(path, each["path"], each["size"]) for each in described["files"]]
        compiled = Compiled(
            code,
            described["target"],
            tuple(map(_port, described["inputs"])),
            tuple(map(_port, described["results"])),
            tuple(described["outputs"]),
            tuple(_parameter(each, files, description) for each in described["parameters"]),
            None if described["tail"] is None else _parsed(described["tail"], description),
        )
        _check(compiled)
        return compiled


def _check(compiled: Compiled) -> None:
    """Raise `ValueError` unless there is such a target, and the code and the tail make what the
    tail and the caller take."""
    if compiled.target not in TARGETS:
        raise ValueError(f"there is no target {compiled.target!r}")
    made = [port.name for port in compiled.results]
    if compiled.tail is not None:
        func = model_of(compiled.tail)
        _check_made(inputs_of(func), {*made, *(port.name for port in compiled.inputs)})
        made = output_names(func)
    _check_made(compiled.outputs, made)


def _check_made(names: Iterable[str], made: Collection[str]) -> None:
    for name in names:
        if name not in made:
            raise ValueError(f"nothing computes {name!r}")


def _file(path: str, name: str, size: int) -> WeightFile:
    """Return a file with weights. Raises `NativeError` unless it has this size."""
    place = os.path.join(os.path.dirname(os.path.realpath(path)), name)
    file = WeightFile.open(place)
    if file.size != size:
        raise NativeError(
            f"weight file '{os.path.normpath(place)}' has {file.size} bytes; when '{path}' was "
            f"compiled it had {size}"
        )
    return file


def _port(described: Any) -> Port:
    """Return a port. Raises `ValueError` unless the values are of the kinds that `save` writes."""
    name, dtype, shape = described["name"], described["dtype"], tuple(described["shape"])
    if not isinstance(name, str):
        raise ValueError(f"a name is {name!r}")
    if dtype not in DTYPES:
        raise ValueError(f"the dtype of '{name}' is {dtype!r}, not one of {', '.join(DTYPES)}")
    if any(extent is not None and (type(extent) is not int or extent < 0) for extent in shape):
        raise ValueError(f"the shape of '{name}' is {shape}")
    return Port(name, dtype, shape, described.get("is_index") is True)


def _parameter(described: Any, files: Sequence[WeightFile], description: str) -> Parameter:
    file, offset, size = (
        files[int(described["file"])],
        int(described["offset"]),
        int(described["size"]),
    )
    if not 0 <= offset <= offset + size <= file.size:
        raise FormatError(description, f"'{described['key']}' is not inside '{file.path}'")
    return Parameter(described["key"], WeightSlice(file, offset), size)


def _parsed(text: str, description: str) -> ModuleOp:
    context = Context()
    for dialect in (Builtin, Func, NCNN, FUSED):
        context.load_dialect(dialect)
    module = parse_ir(context, text.encode(), description)
    verify_ir(module, description)
    return module
