"""The programs of LLVM that create a shared library: from linalg to machine code without IREE.

The library needs no runtime: an application calls one C function.
"""

import re
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from .errors import NativeError
from .iree_compile import Tick, run_tool

MIN_VERSION = 22
"""The version of LLVM that the passes below are written for. Older versions lack some options."""

TO_LOOPS = (
    "--canonicalize",
    "--cse",
    "--linalg-fuse-elementwise-ops",
    # A step of a recurrent layer returns another tensor than its argument.
    "--one-shot-bufferize=bufferize-function-boundaries=1 allow-return-allocs-from-loops=1 "
    "function-boundary-type-conversion=identity-layout-map",
    # The caller gives the memory of results; by default only in private functions.
    "--buffer-results-to-out-params=modify-public-functions=1 hoist-static-allocs=1",
    "--canonicalize",
    "--buffer-deallocation-pipeline",
    # A function frees the buffers of a step; its arguments are not plain pointers.
    "--inline",
    "--symbol-dce",
    "--convert-linalg-to-loops",
    "--canonicalize",
)
"""From linalg on tensors to loops on memory."""

TO_LLVM = (
    "--expand-strided-metadata",
    "--lower-affine",
    "--convert-scf-to-cf",
    "--convert-math-to-libm",
    "--convert-arith-to-llvm",
    "--convert-index-to-llvm",
    "--finalize-memref-to-llvm",
    "--convert-func-to-llvm=use-bare-ptr-memref-call-conv=1",
    "--convert-cf-to-llvm",
    "--reconcile-unrealized-casts",
)
"""From loops to LLVM's dialect. Functions take plain pointers."""


class Tools(NamedTuple):
    """Paths of the programs."""

    opt: str
    translate: str
    clang: str


@cache
def find_tools() -> Tools:
    """Return the programs on the path. Raises `NativeError` if one is missing or too old."""
    return Tools(*(find_tool(name) for name in ("mlir-opt", "mlir-translate", "clang")))


def find_tool(name: str) -> str:
    """Return the path of a program of LLVM: of this name, or else of the highest version suffix.
    Raises `NativeError` if it is missing or too old."""
    newest = max(MIN_VERSION + 10, 40)
    names = (name, *(f"{name}-{version}" for version in range(newest, MIN_VERSION - 1, -1)))
    found = [path for each in names if (path := shutil.which(each)) is not None]
    if not found:
        raise NativeError(
            f"a shared library needs {name} of LLVM {MIN_VERSION} or newer, which is not on the "
            "path (Debian: mlir-22-tools, clang-22)"
        )
    versions = [_version(path) for path in found]
    for path, version in zip(found, versions, strict=True):
        if version >= MIN_VERSION:
            return path
    raise NativeError(f"'{found[0]}' is of LLVM {versions[0]}; {MIN_VERSION} or newer is needed")


def _version(path: str) -> int:
    """Return the major version of a program; 0 if it is unknown."""
    try:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    except OSError:
        return 0
    match = re.search(r"version (\d+)\.", done.stdout)
    return int(match[1]) if match else 0


def compile_library(
    code: str, wrapper: str, folder: Path, flags: Sequence[str], exported: str, tick: Tick
) -> Path:
    """Return the shared library, created in `folder`, of a function in MLIR and a C function that
    calls it. Only the C function is exported. Raises `NativeError`."""
    tools = find_tools()
    source, lowered, object_code = (folder / f"model.{kind}" for kind in ("mlir", "llvm", "ll"))
    source.write_text(code)
    (folder / "wrapper.c").write_text(wrapper)
    (folder / "symbols").write_text(f"{{ global: {exported}; local: *; }};\n")
    result = folder / "model.so"
    run_tool([tools.opt, str(source), *TO_LOOPS, *TO_LLVM, "-o", str(lowered)], tick, "mlir-opt")
    run_tool(
        [tools.translate, "--mlir-to-llvmir", str(lowered), "-o", str(object_code)],
        tick,
        "mlir-translate",
    )
    hidden = [f"-Wl,--version-script={folder / 'symbols'}"]
    inputs = [str(object_code), str(folder / "wrapper.c")]
    options = ["-O3", "-shared", "-fPIC", "-Wno-override-module", *flags, *hidden]
    run_tool([tools.clang, *options, *inputs, "-o", str(result), "-lm"], tick, "clang")
    return result
