"""Models as shared libraries with a C function: `m.so` and `m.h`. The library contains the
weights."""

import os
import tempfile
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import SSAValue
from xdsl.rewriter import Rewriter

from ..dialects.iree import GlobalLoadOp
from ..dialects.ncnn.function import update_type
from ..dialects.ncnn.lookup import model_of
from ..targets.atomic_files import OutputFiles, naming
from ..targets.output_checks import OutputError
from . import llvm
from .c_code import CODE, MARK, CFunction, header, name_for, wrapper
from .errors import NativeError
from .iree_compile import Tick
from .lowering import Lowered, lower
from .options import CompileOptions
from .parameters import copied, parameters_of

ENDING = ".so"


def save_library(
    module: ModuleOp,
    path: str,
    options: CompileOptions = CompileOptions(),
    tick: Tick | None = None,
) -> list[str]:
    """Compile a model, and write the library and its header: both or none. The module becomes the
    code's module. Returns the file names. Raises `NativeError`, also if a program of LLVM is
    missing, `OutputError` for a header that ncnn-opt did not write, and the errors of reading
    weights."""
    beside = f"{path.removesuffix(ENDING)}.h"
    flags = _flags(options)
    _check_header(beside)
    llvm.find_tools()  # report wrong options first, missing tools before the work
    lowered = lower(module, options.for_upstream())
    if lowered.tail is not None:
        raise NativeError(
            "the end of the model runs on the host, which a shared library does not support; "
            f"cut the model at {', '.join(repr(port.name) for port in lowered.results)}"
        )
    signature = CFunction(name_for(path), lowered.inputs, lowered.results)
    with tempfile.TemporaryDirectory(prefix="ncnn-compile-") as name:
        folder = Path(name)
        weights = folder / "weights.bin"
        with weights.open("wb") as f:
            places = copied(parameters_of(lowered.parameters()), f, str(weights))
        library = llvm.compile_library(
            _with_arguments(lowered),
            wrapper(signature, [each.place.offset for each in places], weights),
            folder,
            flags,
            signature.name,
            tick or (lambda: None),
        )
        with naming(path), OutputFiles() as files:
            files.before_replacing(lambda: _check_header(beside))
            files.create(beside, "w").write(header(signature))
            files.create(path, "wb").write(library.read_bytes())
    return [path, beside]


def _flags(options: CompileOptions) -> list[str]:
    """Return clang's options for the processor. Raises `NativeError` for options that only IREE
    supports."""
    if options.target != "cpu":
        raise NativeError(f"a shared library is for a CPU, not for {options.target}")
    if options.target_triple is not None:
        raise NativeError(
            "a shared library is for this machine's CPU and system; remove --target-triple"
        )
    if options.flags:
        raise NativeError("iree-compile does not compile shared libraries; remove --iree-flag")
    chip = options.target_cpu
    return ["-march=native" if chip in (None, "host") else f"-march={chip}"]


def _check_header(path: str) -> None:
    if os.path.isfile(path):
        with open(path, "rb") as f:
            if f.readline().strip() != MARK.encode():
                raise OutputError(f"'{path}' is not a header of ncnn-opt; move it away")


def _with_arguments(lowered: Lowered) -> str:
    """Return the code with weights as further arguments, under the name that C calls."""
    func = model_of(lowered.module)
    func.sym_name = StringAttr(CODE)
    arguments: dict[str, SSAValue] = {}
    for op in lowered.parameters():
        arg = func.body.block.insert_arg(op.type, len(func.body.block.args))
        arg.name_hint = op.sym_name.data
        arguments[op.sym_name.data] = arg
    for op in list(func.body.block.ops):
        if isinstance(op, GlobalLoadOp):
            op.result.replace_all_uses_with(arguments[op.global_.string_value()])
            Rewriter.erase_op(op)
    for op in lowered.parameters():
        Rewriter.erase_op(op)
    update_type(func)
    return str(lowered.module)
