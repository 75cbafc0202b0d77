"""PNNX's program: one run in a folder, with a reason if it fails."""

import os
import signal
import subprocess
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ..dialects.pnnx.tensors import NAMES_IN_TORCH
from ..interpreters.errors import RunError
from ..interpreters.source.callables import reason_of
from ..interpreters.source.source_steps import import_torch
from .errors import UsageError

TYPES = {name: short for short, name in NAMES_IN_TORCH.items() if "complex" not in name}
"""PNNX's names of PyTorch's element types."""


def pnnx_program() -> str:
    """Return the path of the program. Raises `RunError` if PNNX is not installed."""
    if find_spec("pnnx") is None:
        raise RunError("PNNX is not installed: pip install 'ncnn-opt[export]'")
    return os.fspath(getattr(import_torch("pnnx"), "EXEC_PATH", "pnnx"))


def run_pnnx(source: Any, inputs: Sequence[Any], folder: Path, seconds: float) -> str:
    """Convert a TorchScript module, or the ONNX file of this name, in an empty folder, with float32
    weights, and return the `.param`. Raises `RunError` if the program fails, crashes, or exceeds
    the time limit."""
    program = pnnx_program()
    if isinstance(source, str):
        file = "m.onnx"
        os.symlink(os.path.abspath(source), folder / file)
    else:
        file = "m.pt"
        try:
            source.save(str(folder / file))
        except RuntimeError as e:  # a function of Python in the trace, as torch.autograd.Function
            raise RunError(f"torch.jit does not write the trace: {reason_of(e)}") from e
    shapes = ",".join(map(shape_argument, inputs))
    # Some conversions crash with PNNX's own float16 weights.
    command = [program, file, f"inputshape={shapes}", "fp16=0"]
    log = folder / "pnnx.log"
    with open(log, "wb") as file:
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired as e:
            raise RunError(f"PNNX did not end within {seconds:g} seconds; {_last_line(log)}") from e
        except OSError as e:
            raise RunError(f"PNNX's program {program} does not start: {e.strerror}") from e
    param = folder / "m.ncnn.param"
    if done.returncode < 0:
        raise RunError(f"PNNX crashed ({_name_of_signal(-done.returncode)}); {_last_line(log)}")
    if done.returncode or not param.exists():
        raise RunError(f"PNNX failed with status {done.returncode}; {_last_line(log)}")
    return str(param)


def _name_of_signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _last_line(log: Path) -> str:
    """Return the last line that the program printed, for messages."""
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines()]
    lines = [line for line in lines if line]
    return f"its last line: {lines[-1][:200]}" if lines else "it printed nothing"


def shape_argument(tensor: Any) -> str:
    """Return an input's shape as the program's argument: `[1,3,224,224]f32`. Raises
    `UsageError`."""
    dtype = str(tensor.dtype).removeprefix("torch.")
    if dtype not in TYPES:
        raise UsageError(f"PNNX has no inputs of {dtype}")
    return f"[{','.join(map(str, tensor.shape))}]{TYPES[dtype]}"
