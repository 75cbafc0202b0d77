"""Tests of a model: a script, a difference of outputs, a crash, a refusal."""

import shlex
import subprocess
import sys
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from re import sub
from types import TracebackType
from typing import Self

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...dialects.ncnn.function import output_names
from ...dialects.ncnn.lookup import model_of
from ...interpreters.errors import RunError
from ...runtime.differences import relative_error
from ...runtime.engines import compute
from ...runtime.host import Array
from ...runtime.process import SECONDS, Blobs, Failure, Runtime
from ...runtime.trial_shapes import random_inputs
from ...targets.param.export import export_module
from ..errors import USER_ERRORS, PassError, UsageError
from ..pipelines import run_pipeline

SCALES = (1.0, 6.0)
"""The factors of the random inputs in (-1, 1)."""

GOOD, SKIP = 0, 125
"""The exit statuses of a script for a model that does not fail, and for one that cannot be tested,
as in git bisect."""


class FailureTest(ABC):
    """A test of models, each written to a folder of its own."""

    def __init__(self) -> None:
        self.resources = ExitStack()
        self.count = 0

    def __enter__(self) -> Self:
        self.folder = Path(self.resources.enter_context(tempfile.TemporaryDirectory("-reduce")))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.resources.close()

    @abstractmethod
    def __call__(self, module: ModuleOp) -> str | None:
        """Return the failure of a model; `None` without one."""

    def write(self, module: ModuleOp, name: str = "model") -> Path:
        """Write a model, and return its `.param`."""
        param = self.folder / f"{name}.param"
        export_module(module).save(str(param), str(param.with_suffix(".bin")))
        return param


class Script(FailureTest):
    """A command that gets the `.param` as its last argument. Its exit status is the failure."""

    def __init__(self, command: str, seconds: int) -> None:
        super().__init__()
        self.words = shlex.split(command)
        if not self.words:
            raise UsageError("--test needs a command")
        self.seconds = seconds

    def __call__(self, module: ModuleOp) -> str | None:
        param = self.write(module)
        try:
            done = subprocess.run(
                [*self.words, str(param)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=self.seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"more than {self.seconds} s"
        if done.returncode in (GOOD, SKIP):
            return None
        return f"exit status {done.returncode}"


class InRuntime(FailureTest):
    """A test that runs models in the ncnn runtime of a Python environment."""

    def __init__(self, python: str | None = None, seed: int = 0, seconds: int = SECONDS) -> None:
        """`seconds` is the time limit of one run."""
        super().__init__()
        self.python = python or sys.executable
        self.seed, self.seconds = seed, seconds

    def __enter__(self) -> Self:
        super().__enter__()
        self.runtime = self.resources.enter_context(Runtime(self.seconds, self.python))
        return self

    def run(
        self, runtime: Runtime, module: ModuleOp, inputs: Blobs, device: str = "cpu"
    ) -> Blobs | Failure:
        """Return the outputs of a model."""
        param = self.write(module)
        return runtime.run(param, inputs, output_names(model_of(module)), device=device)

    def inputs(self, module: ModuleOp) -> Blobs:
        """Return random inputs in (-1, 1). Raises `RunError` for an unknown shape."""
        return random_inputs(model_of(module), self.seed)[0]


class Ends(InRuntime):
    """The runtime crashes, or does not load or run the model. (Old releases crash where they lack a
    layer.)"""

    def __init__(
        self, crashes: bool, python: str | None = None, seed: int = 0, seconds: int = SECONDS
    ) -> None:
        super().__init__(python, seed, seconds)
        self.crashes = crashes

    def __call__(self, module: ModuleOp) -> str | None:
        try:
            inputs = self.inputs(module)
        except RunError:
            if self.crashes:
                return None
            inputs: Blobs = {}
        found = self.run(self.runtime, module, inputs)
        if not isinstance(found, Failure):
            return None
        crashed = found.reason.startswith(("the runtime crashed", "the runtime ended"))
        if self.crashes and not crashed:
            return None
        # Without names of blobs and numbers, which a smaller model does not have.
        return sub(r"'[^']*'|[0-9]+", "…", found.reason)


class PassCrashes(FailureTest):
    """Passes end with an exception that no user's mistake causes."""

    def __init__(self, passes: Sequence[ModulePass]) -> None:
        super().__init__()
        self.passes = passes

    def __call__(self, module: ModuleOp) -> str | None:
        try:
            run_pipeline(module, self.passes)
        except PassError as e:
            return f"{type(e.__cause__).__name__}"
        except USER_ERRORS:
            return None
        except Exception as e:  # noqa: BLE001  (the defect that is searched)
            return type(e).__name__
        return None


def _scaled(x: Array, factor: float) -> Array:
    """Return floats multiplied by a factor, and integers as they are."""
    return (x * factor).astype(x.dtype) if x.dtype.kind == "f" else x


class Differs(InRuntime):
    """Outputs differ: between the model and its optimized form, or between two ways to run it."""

    def __init__(
        self,
        passes: Sequence[ModulePass],
        other: str | None = None,
        tolerance: float = 1e-3,
        python: str | None = None,
        seed: int = 0,
        seconds: int = SECONDS,
    ) -> None:
        """`other` is `numpy`, `vulkan`, or the Python of an environment with another release;
        `None` compares with the model after `passes`."""
        super().__init__(python, seed, seconds)
        self.passes, self.other, self.tolerance = passes, other, tolerance

    def __enter__(self) -> Self:
        super().__enter__()
        if self.other not in (None, "numpy", "vulkan"):
            self.second = self.resources.enter_context(Runtime(self.seconds, str(self.other)))
        return self

    def __call__(self, module: ModuleOp) -> str | None:
        inputs = self.inputs(module)
        changed = module
        if self.other is None:
            changed = module.clone()
            run_pipeline(changed, self.passes)
        for scale in SCALES:
            fed = {n: _scaled(x, scale) for n, x in inputs.items()}
            one = self.run(self.runtime, module, fed)
            if isinstance(one, Failure):
                return None
            if not all(np.isfinite(x).all() for x in one.values()):
                continue
            two = self.second_outputs(changed, fed)
            if isinstance(two, Failure):
                return "only one of both runs"
            if any(self.is_different(one[name], two[name]) for name in one if name in two):
                return "outputs differ"
        return None

    def is_different(self, one: Array, two: Array) -> bool:
        """Whether two blobs differ in their shape or by more than the tolerance."""
        return one.shape != two.shape or relative_error(one, two) > self.tolerance

    def second_outputs(self, module: ModuleOp, inputs: Blobs) -> Blobs | Failure:
        """Return the outputs to compare with."""
        if self.other == "numpy":
            try:
                return compute("numpy", module, inputs, output_names(model_of(module)))
            except RunError as e:
                return Failure(str(e))
        if self.other == "vulkan":
            return self.run(self.runtime, module, inputs, "vulkan")
        return self.run(self.runtime if self.other is None else self.second, module, inputs)
