"""What computes the blobs of a model: the reference semantics in NumPy, or the ncnn runtime."""

import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp
from xdsl.interpreter import Interpreter, PythonValues
from xdsl.ir import Operation

from ...frontends.files import weights_beside
from ...interpreters.run import RunError, run
from ...transforms.finding import model_of
from ..errors import UsageError
from ..models import write_model
from ..progress import Progress
from ..runtime import Failure, Runtime

Array = NDArray[Any]
Blobs = Mapping[str, Array]

SECONDS = 3600
"""How long the runtime may take."""


class _Steps(Interpreter.Listener):
    """Tells how many operations are done."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._done = 0

    def did_interpret_op(self, op: Operation, results: PythonValues) -> None:
        self._done += 1
        self._progress.update(self._done)


def run_numpy(
    module: ModuleOp, inputs: Blobs, wanted: Sequence[str], path: str
) -> dict[str, Array]:
    """These blobs by the reference semantics. Raises `UsageError`."""
    func = model_of(module)
    with Progress(f"running {path}", len(func.body.block.ops)) as progress:
        try:
            return run(func, inputs, wanted, [_Steps(progress)])
        except RunError as e:
            raise UsageError(f"{path}: {e}") from e


def check_runtime() -> None:
    """Raises `UsageError` where the ncnn runtime is not installed."""
    if not Runtime.is_there():
        raise UsageError("the ncnn runtime is not installed: pip install 'ncnn-opt[verify]'")


def is_made_up(weights: str | None) -> bool:
    """Whether `--weights` names no file."""
    return weights is not None and (weights == "none" or weights.partition(":")[0] == "random")


def run_ncnn(
    module: ModuleOp,
    inputs: Blobs,
    wanted: Sequence[str],
    path: str,
    weights: str | None,
    packing: bool,
) -> dict[str, Array]:
    """These blobs by the runtime, in float32 and one thread: of the files of the model where it is
    a `.param` with a `.bin`, else of what it is written as. Raises one of `USER_ERRORS`."""
    with tempfile.TemporaryDirectory(prefix="ncnn-run-") as folder, Runtime(SECONDS) as runtime:
        param, bin_path = path, weights or weights_beside(path)
        if not path.endswith(".param") or is_made_up(weights) or not os.path.isfile(bin_path):
            param, bin_path = f"{folder}/model.param", f"{folder}/model.bin"
            write_model(module.clone(), param, show_progress=False)
        # Not in light mode, which lets a blob go that more than one layer reads without a Split.
        blobs = runtime.run(
            Path(param),
            inputs,
            wanted,
            weights=Path(bin_path),
            light_mode=False,
            packing=packing,
        )
    if isinstance(blobs, Failure):
        raise UsageError(f"{path}: the ncnn runtime does not run the model: {blobs.reason}")
    return dict(blobs)
