"""Compiled models in Python: the results of `Model.compile`.

Errors become `NcnnOptError`; `native/program.py` does the work.
"""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from .arguments import ARRAYS, File, named_arrays, validate_arguments
from .values import Blob, NcnnOptError, reporting

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from xdsl.dialects.builtin import ModuleOp

    from ncnn_opt.driver.run_model import Array
    from ncnn_opt.native.program import Compiled

    from .values import Shapes, Target


class CompiledModel:
    """A model as native code: `compiled(x)` or `compiled(data=x)` returns the outputs by name.
    The first call loads the code. Weights stay in their files: do not change or remove these files
    while the model is in use."""

    def __init__(self, path: str, compiled: "Compiled") -> None:
        from ncnn_opt.native.program import Program

        self.path = path
        """The file of the model."""
        self._program = Program(compiled)

    @property
    def inputs(self) -> list[Blob]:
        """The inputs."""
        return [Blob(port.name, port.shape) for port in self._program.inputs]

    @property
    def outputs(self) -> list[str]:
        """The names of the outputs."""
        return list(self._program.outputs)

    def __call__(
        self, /, *inputs: "ArrayLike | Mapping[str, ArrayLike]", **named: "ArrayLike"
    ) -> "dict[str, Array]":
        """Return the outputs by name. Inputs are arrays by name (`compiled(data=x)`, or a mapping),
        or in the order of the inputs. Raises `NcnnOptError` for inputs of other shapes, and if no
        device here runs the code."""
        if named and inputs:
            raise NcnnOptError("inputs are given by position or by name, not both")
        inputs = (named,) if named else inputs
        for each in inputs:
            if not ARRAYS.accepts(each):
                raise NcnnOptError(f"an input must be {ARRAYS.words}")
        with reporting(self.path):
            return self._program(*map(cast(Any, named_arrays), inputs))

    @validate_arguments
    def save(self, path: File, copy_weights: bool = False) -> list[str]:
        """Write a `.vmfb`, its description (`PATH.json`), and the weights that are in no file of
        the model (`PATH.bin`; all weights with `copy_weights`): all files or none. Return the names
        of the files. Raises `NcnnOptError`."""
        from ncnn_opt.native.artifact import save

        with reporting(self.path):
            return save(self._program.compiled, os.fspath(path), copy_weights)

    def __repr__(self) -> str:
        return f"<ncnn_opt.CompiledModel '{self.path}': {self._program.words()}>"


def compile_model(
    module: "ModuleOp",
    path: str,
    device: "tuple[Target, str | None]",
    shapes: "Shapes | None",
    optimize: bool,
    tuning: "tuple[int | None, str | os.PathLike[str] | None] | None",
) -> CompiledModel:
    """Return a module as native code, and change the module. `device` is a kind of device and its
    CPU; `tuning` has the seconds and the folder of measurements. Raises one of `USER_ERRORS`."""
    from ncnn_opt.dialects.ncnn.weight_file import scratch_file
    from ncnn_opt.driver.api_pipelines import shapes_in_ir
    from ncnn_opt.driver.compile_file import run_passes, set_shapes
    from ncnn_opt.native.form_tuning import SECONDS, Tuning, fastest
    from ncnn_opt.native.options import CompileOptions
    from ncnn_opt.native.program import compile_module

    with scratch_file():
        options = CompileOptions(*device)
        set_shapes(module, shapes_in_ir(shapes))
        if optimize:
            run_passes(module, path)
        if tuning is None:
            return CompiledModel(path, compile_module(module, options))
        seconds, folder = tuning
        measured = Tuning(
            SECONDS if seconds is None else seconds, None if folder is None else os.fspath(folder)
        )
        return CompiledModel(path, fastest(module, options, measured))


@validate_arguments
def load_compiled(path: File) -> CompiledModel:
    """Read a `.vmfb` of `ncnn-compile` or `CompiledModel.save`. Raises `NcnnOptError`."""
    from ncnn_opt.native.artifact import load

    path = os.fspath(path)
    with reporting(path):
        return CompiledModel(path, load(path))
