"""A model of ONNX as a function of tensors.

The checks of a conversion call the original model as a function; an ONNX file becomes one here.
"""

import importlib
import importlib.util
from collections.abc import Sequence
from typing import Any

from ..interpreters.errors import RunError
from ..interpreters.source.callables import reason_of
from ..interpreters.source.source_steps import as_array, as_tensor


class OnnxSession:
    """A model of ONNX that ONNX Runtime computes on a CPU."""

    is_opaque = True

    def __init__(self, path: str) -> None:
        """Raises `RunError` if ONNX Runtime is not installed or refuses the file, and `OSError`."""
        if importlib.util.find_spec("onnxruntime") is None:
            raise RunError("ONNX Runtime is not installed: pip install 'ncnn-opt[onnx]'")
        with open(path, "rb"):
            pass
        runtime: Any = importlib.import_module("onnxruntime")
        try:
            self._session = runtime.InferenceSession(path, providers=["CPUExecutionProvider"])
        except Exception as e:  # any error of another package
            raise RunError(f"ONNX Runtime does not load {path}: {reason_of(e)}") from e
        self.ports: Sequence[Any] = self._session.get_inputs()
        self.path = path

    def __call__(self, *tensors: Any) -> tuple[Any, ...]:
        """Return the outputs as tensors. Raises `RunError`."""
        arrays = map(as_array, tensors)
        fed = {port.name: array for port, array in zip(self.ports, arrays, strict=True)}
        try:
            made: list[Any] = self._session.run(None, fed)
        except Exception as e:  # any error of another package
            raise RunError(f"ONNX Runtime does not run {self.path}: {reason_of(e)}") from e
        return tuple(as_tensor(each) for each in made)
