"""What computes the blobs of a model: the reference semantics in NumPy, or the ncnn runtime."""

import itertools
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp
from xdsl.interpreter import Interpreter, PythonValues
from xdsl.ir import Operation

from ..interpreters.errors import RunError
from ..interpreters.run import run
from ..targets.param.export import export_module
from ..transforms.finding import model_of
from . import ENGINES
from .process import Failure, Runtime

Array = NDArray[Any]
Blobs = Mapping[str, Array]

SECONDS = 3600
"""How long the runtime may take."""


@dataclass(frozen=True)
class _Steps(Interpreter.Listener):
    """Tells how many operations are done."""

    tell: Callable[[int], None]
    count: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def did_interpret_op(self, op: Operation, results: PythonValues) -> None:
        self.tell(next(self.count))


def run_numpy(
    module: ModuleOp, inputs: Blobs, wanted: Sequence[str], tell: Callable[[int], None]
) -> dict[str, Array]:
    """These blobs by the reference semantics; how many operations are done is told meanwhile.
    Raises `RunError`."""
    return run(model_of(module), inputs, wanted, [_Steps(tell)])


def compute(
    engine: str,
    module: ModuleOp,
    inputs: Blobs,
    wanted: Sequence[str],
    files: tuple[str, str] | None = None,
    packing: bool = True,
) -> dict[str, Array]:
    """These blobs by one of `ENGINES`. Raises `RunError`."""
    if engine == "ncnn":
        check_runtime()
        return run_ncnn(module, inputs, wanted, files, packing)
    if engine == "numpy":
        return run(model_of(module), inputs, wanted)
    raise RunError(f"engine is one of {', '.join(ENGINES)}, not '{engine}'")


def check_runtime() -> None:
    """Raises `RunError` where the ncnn runtime is not installed."""
    if not Runtime.is_there():
        raise RunError("the ncnn runtime is not installed: pip install 'ncnn-opt[verify]'")


def run_ncnn(
    module: ModuleOp,
    inputs: Blobs,
    wanted: Sequence[str],
    files: tuple[str, str] | None,
    packing: bool,
) -> dict[str, Array]:
    """These blobs by the runtime, in float32 and one thread: of the `.param` and `.bin` that the
    model is in, or else of what it is written as. Raises `RunError`, and what writing raises."""
    with tempfile.TemporaryDirectory(prefix="ncnn-run-") as folder, Runtime(SECONDS) as runtime:
        param, weights = files or (f"{folder}/model.param", f"{folder}/model.bin")
        if files is None:
            export_module(module.clone()).save(param, weights)
        # Not in light mode, which lets a blob go that more than one layer reads without a Split.
        blobs = runtime.run(
            Path(param), inputs, wanted, weights=Path(weights), light_mode=False, packing=packing
        )
    if isinstance(blobs, Failure):
        raise RunError(f"the ncnn runtime does not run the model: {blobs.reason}")
    return dict(blobs)
