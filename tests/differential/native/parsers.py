"""Programs of others that read MLIR and run passes on it, and what they say of lowered cases."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from ncnn_opt.native.errors import NativeError
from ncnn_opt.native.iree_compile import find_compiler
from ncnn_opt.native.llvm import find_tool
from xdsl.utils.exceptions import ParseError, VerifyException
from xdsl.xdsl_opt_main import xDSLOptMain

from .layers import Lowered

PARSERS = {
    "xdsl-opt": (),
    "iree-opt": (),
    "mlir-opt": (
        "--canonicalize",
        "--cse",
        "--one-shot-bufferize=bufferize-function-boundaries=1 allow-return-allocs-from-loops=1",
        "--convert-linalg-to-loops",
    ),
}
"""With the passes of theirs that are run. None is told to let unknown dialects pass."""


def refused(parser: str, cases: Sequence[Lowered], folder: Path) -> dict[str, str]:
    """The cases whose code a program does not take, and what it says."""
    if not (said := _said(parser, cases, folder)):
        return {}
    if len(cases) == 1:
        return {cases[0].name: said}
    return {name: why for case in cases for name, why in refused(parser, [case], folder).items()}


def _said(parser: str, cases: Sequence[Lowered], folder: Path) -> str:
    """The error of a program that is given each case as a module of its own; empty if it reads
    them all."""
    source = folder / "cases.mlir"
    source.write_text("\n// -----\n".join(str(case.func) for case in cases))
    arguments = ["--split-input-file", str(source), "-o", os.devnull, *PARSERS[parser]]
    if parser == "xdsl-opt":  # in this process: it takes a second to start
        try:
            xDSLOptMain(args=arguments).run()
        except (ParseError, VerifyException) as e:
            return str(e).strip()
        return ""
    done = subprocess.run([_path(parser), *arguments], capture_output=True, text=True)
    return done.stderr.strip() if done.returncode else ""


def _path(parser: str) -> str:
    """The path of a program. Raises `NativeError` if it is not installed or too old."""
    if parser == "iree-opt":
        return str(Path(find_compiler()).with_name(parser))
    return find_tool(parser)


def reason_of_absence(parser: str) -> str | None:
    """Why a program cannot be run here; `None` if it can."""
    try:
        if parser != "xdsl-opt":
            _path(parser)
    except NativeError as e:
        return str(e)
    return None
