"""Random inputs of a model, also of a file without input shapes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from ncnn_opt.analysis.random_inputs import inputs_of, random_input
from ncnn_opt.driver.files import read_model, write_model
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.runtime.process import Array
from ncnn_opt.targets import Output
from ncnn_opt.tools.pass_options import input_shapes
from ncnn_opt.transforms.infer_shapes import InferShapes
from xdsl.context import Context


def shapes_for(model: str, specs: Sequence[str], models: Sequence[str]) -> "Shapes":
    """Return the input shapes that options give for one of several models: those for this model
    only (`squeezenet:data=3,227,227`), and those for all (`data=3,224,224`). Raise `UsageError`."""
    prefixes = tuple(f"{name}:" for name in models)  # (a blob's name may have a colon, too)
    own = [spec.removeprefix(f"{model}:") for spec in specs if spec.startswith(f"{model}:")]
    common = [spec for spec in specs if not spec.startswith(prefixes)]
    return Shapes(input_shapes(own), input_shapes(common))


@dataclass(frozen=True)
class Shapes:
    """Shapes in the format of the pass `ncnn-infer-shapes`: `data:3x224x224`."""

    own: Sequence[str] = ()
    """Shapes of inputs that the model must have."""
    common: Sequence[str] = ()
    """Shapes of inputs that the model may have."""

    def write_into(self, path: Path, result: Path) -> Path:
        """Write the model with these input shapes to `result`, or return `path` if it already has
        them. All tools then use the same shapes. Raise one of `USER_ERRORS`."""
        if not self.own and not self.common:
            return path
        module = read_model(str(path), ReadOptions()).module
        names = inputs_of(module)
        own = {name_in(shape) for shape in self.own}
        fitting = [s for s in self.common if name_in(s) in names and name_in(s) not in own]
        if not self.own and not fitting:
            return path
        InferShapes(input_shape=(*self.own, *fitting), hints=False).apply(Context(), module)
        write_model(module, Output(str(result)))
        return result


def name_in(shape: str) -> str:
    """Return the name of the input in a shape."""
    return shape.rpartition(":")[0]


def inputs_for(path: Path) -> Mapping[str, Array]:
    """Return random blobs for the inputs of a model. Raise `UsageError` if the file has no input
    shapes."""
    module = read_model(str(path), ReadOptions(weights="none")).module
    rng = np.random.default_rng(0)
    return {name: random_input(name, value, rng) for name, value in inputs_of(module).items()}
