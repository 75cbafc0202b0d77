"""Compiled models in Python: the results of `Model.compile`."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from .arguments import ARRAYS, File, checked, named_arrays
from .values import Blob, NcnnOptError, reporting

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ncnn_opt.driver.running import Array
    from ncnn_opt.native.program import Compiled


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

    @checked
    def save(self, path: File, copy_weights: bool = False) -> list[str]:
        """Write a `.vmfb`, its description (`PATH.json`), and the weights that are in no file of
        the model (`PATH.bin`; all weights with `copy_weights`): all files or none. Return the names
        of the files. Raises `NcnnOptError`."""
        from ncnn_opt.native.artifact import save

        with reporting(self.path):
            return save(self._program.compiled, os.fspath(path), copy_weights)

    def __repr__(self) -> str:
        return f"<ncnn_opt.CompiledModel '{self.path}': {self._program.words()}>"


@checked
def load_compiled(path: File) -> CompiledModel:
    """Read a `.vmfb` of `ncnn-compile` or `CompiledModel.save`. Raises `NcnnOptError`."""
    from ncnn_opt.native.artifact import load

    path = os.fspath(path)
    with reporting(path):
        return CompiledModel(path, load(path))
