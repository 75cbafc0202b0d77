"""From linalg to code with `iree-compile`, as a separate process.

The process can be killed, and an abort of the compiler becomes a message. IREE refuses some correct
code, so that options are tried in turn until it compiles (`_compile`).
"""

import importlib.util
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from threading import Event

from ..dialects.iree import GlobalOp
from ..targets.mlir.ir_printer import print_module
from ..targets.options import MlirOptions
from . import code_cache
from .errors import MISSING, NativeError
from .lowering import Lowered
from .options import CompileOptions

Tick = Callable[[], None]
"""Called repeatedly while the compiler works."""

POLL_SECONDS = 0.1

FUSED_PADS = "--iree-dispatch-creation-enable-fuse-padding-into-linalg-consumer-ops=true"
"""IREE's option that computes borders in the kernels that read them. It is not on by default, so
code is compiled without it if IREE refuses its own intermediate code."""

UNVERIFIED = "--verify=false"
"""IREE's option not to verify its intermediate code after each pass. That takes a third of the
time, and often lets only one thread work. IREE verifies where it refuses some code."""

LARGE_VECTORS = "large vector sizes"
"""The compiler's message for a kernel whose vectors may exceed the stack."""
NOT_DISTRIBUTED = "restricted to workgroup distributed contexts"
"""The compiler's message for an int8 matrix product in a loop, with a few rows, that it has
tiled."""
RETRIED = (LARGE_VECTORS, NOT_DISTRIBUTED)

NO_SPACE = "No space left on device"
"""The message of compilers if a file system is full."""
NOT_LINKED = "failed to link executable"
"""IREE's message if its linker failed, for this or another reason."""
LITTLE_SPACE = 64 << 20
"""With fewer free bytes, a lack of space is the likely reason of a linker's failure."""


def find_compiler() -> str:
    """Return the path of `iree-compile`. Raises `NativeError` if it is not installed. (Importing
    the package would load the whole compiler into this process.)"""
    with suppress(ImportError):
        spec = importlib.util.find_spec("iree.compiler")
        for folder in (spec and spec.submodule_search_locations) or ():
            name = "iree-compile.exe" if os.name == "nt" else "iree-compile"
            path = os.path.join(folder, "_mlir_libs", name)
            if os.path.isfile(path):
                return path
    raise NativeError(MISSING.format(what="compiling"))


def _text_of(lowered: Lowered) -> str:
    """Return the module as IREE reads it. Values of parameters are not part of it: IREE would make
    them constants of the code."""
    module = lowered.module.clone()
    for op in module.ops:
        if isinstance(op, GlobalOp):
            op.weight = None
    return print_module(module, MlirOptions())


def compile_code(lowered: Lowered, options: CompileOptions, tick: Tick | None = None) -> bytes:
    """The program of a lowered model, without its weights. Raises `NativeError`."""
    text = _text_of(lowered)
    if options.cache is None:
        return _compiled(text, lowered, options, tick)
    own = (str(lowered.may_be_tiled), str(lowered.fuses_pads))
    key = code_cache.key_of(text, [*options.compiler_flags(), *own])
    code = code_cache.find(options.cache, key)
    if code is None:
        code = _compiled(text, lowered, options, tick)
        code_cache.keep(options.cache, key, code)
    return code


def _compiled(text: str, lowered: Lowered, options: CompileOptions, tick: Tick | None) -> bytes:
    compiler = find_compiler()
    with tempfile.TemporaryDirectory(prefix="ncnn-compile-") as folder:
        source, code = os.path.join(folder, "model.mlir"), os.path.join(folder, "model.vmfb")
        with open(source, "w", encoding="utf-8") as f:
            f.write(text)
        checks = [UNVERIFIED] if options.target == "cpu" and not lowered.fuses_pads else []
        # The user's flags are behind: the last one of a name counts.
        command = [compiler, source, "-o", code, *checks, *options.compiler_flags()]
        _compile(command, lowered, tick or (lambda: None))
        with open(code, "rb") as f:
            return f.read()


def _compile(command: Sequence[str], lowered: Lowered, tick: Tick) -> None:
    """Run the compiler. Retry with other options if it refuses its own intermediate code. Raises
    `NativeError`."""
    # A kernel that lays out a matrix, multiplies, and adds a slice may lay out the whole slice at
    # once, which is slow. IREE refuses some users of int8 products with 32-bit tiles; without
    # tiles they run at a quarter of the speed. At O3 it refuses some copies of slices for AVX2.
    untiled = ["--iree-opt-data-tiling=false"]
    attempts: list[list[str]] = [[] if lowered.may_be_tiled else untiled]
    if lowered.has_int8() and lowered.may_be_tiled:
        attempts.append(untiled)
    attempts.append([*attempts[-1], "--iree-llvmcpu-fail-on-large-vector=false"])
    attempts.append([*attempts[-1], "--iree-opt-level=O1"])
    if lowered.fuses_pads:
        attempts.insert(0, [*attempts[0], FUSED_PADS])
    for more in attempts:
        try:
            return run_tool([*command, *more], tick)
        except NativeError as e:
            retried = FUSED_PADS in more or any(message in str(e) for message in RETRIED)
            if more is attempts[-1] or not retried:
                raise


def compile_codes(
    models: Mapping[str, Lowered], options: CompileOptions, tick: Tick
) -> dict[str, bytes | NativeError]:
    """Return the programs of lowered models, compiled in parallel, or the error of each."""
    stopped = Event()

    def stop() -> None:
        if stopped.is_set():
            raise NativeError("it was stopped")

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        codes = {n: pool.submit(compile_code, each, options, stop) for n, each in models.items()}
        try:
            while wait(codes.values(), POLL_SECONDS).not_done:
                tick()
        finally:
            stopped.set()  # if the loop ends early
    found: dict[str, bytes | NativeError] = {}
    for name, code in codes.items():
        error = code.exception()
        if error is not None and not isinstance(error, NativeError):
            raise error
        found[name] = code.result() if error is None else error
    return found


def run_tool(command: Sequence[str], tick: Tick, who: str = "IREE") -> None:
    """Run a compiler. It is killed if this process stops waiting. Raises `NativeError`, which names
    it `who`."""
    folder = tempfile.gettempdir()  # $TMPDIR, if it is writable
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env={**os.environ, "TMPDIR": folder},
        )
        try:
            while True:
                with suppress(subprocess.TimeoutExpired):
                    status = process.wait(POLL_SECONDS)
                    break
                tick()
        except BaseException:
            process.kill()
            process.wait()
            raise
        if status:
            errors.seek(0)
            text = errors.read().decode(errors="replace")
            free = shutil.disk_usage(folder).free
            if NO_SPACE in text or (NOT_LINKED in text and free < LITTLE_SPACE):
                raise NativeError(
                    f"{who} has too little space for temporary files in '{folder}' "
                    f"({free >> 10:,} KiB are free); set TMPDIR to another folder"
                )
            raise NativeError(f"{who} does not compile the model: {_reason(text, status)}")


def _reason(text: str, status: int) -> str:
    """Return the compiler's message in one line."""
    if (found := re.search(r"error: (.*)", text)) is not None:
        return found[1].strip()
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if lines:
        return lines[0]
    return f"it was ended by {signal.Signals(-status).name}" if status < 0 else f"status {status}"
