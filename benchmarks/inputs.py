"""Random inputs of a model, also of a file without input shapes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from ncnn_opt.analysis.random_inputs import inputs_of, random_input
from ncnn_opt.analysis.shape_inference import drop_hints, set_input_shapes
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.dialects.ncnn.weight_specs import Shape
from ncnn_opt.driver.model_files import read_model, write_model
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.runtime.host import Array
from ncnn_opt.targets import Output
from ncnn_opt.tools.pass_options import parse_input_shapes
from xdsl.dialects.builtin import ModuleOp


def shapes_for(model: str, specs: Sequence[str], models: Sequence[str]) -> "Shapes":
    """Return the input shapes that options give for one of several models: those for this model
    only (`squeezenet:data=3,227,227`), and those for all (`data=3,224,224`). Raise `UsageError`."""
    prefixes = tuple(f"{name}:" for name in models)  # (a blob's name may have a colon, too)
    own = [spec.removeprefix(f"{model}:") for spec in specs if spec.startswith(f"{model}:")]
    common = [spec for spec in specs if not spec.startswith(prefixes)]
    return Shapes(parse_input_shapes(own), parse_input_shapes(common))


@dataclass(frozen=True)
class Shapes:
    """Shapes of inputs."""

    own: Mapping[str, Shape] = field(default_factory=dict[str, Shape])
    """Inputs that the model must have."""
    common: Mapping[str, Shape] = field(default_factory=dict[str, Shape])
    """Inputs that it may have."""

    def of_model(self, module: ModuleOp) -> dict[str, Shape]:
        """Return the shapes for a model."""
        names = inputs_of(module)
        return {**{n: s for n, s in self.common.items() if n in names}, **self.own}

    def write_into(self, path: Path, result: Path) -> Path:
        """Write the model with these input shapes to `result`, or return `path` if it already has
        them. All tools then use the same shapes. Raise one of `USER_ERRORS`."""
        if not self.own and not self.common:
            return path
        module = read_model(str(path), ReadOptions()).module
        shapes = self.of_model(module)
        if not shapes:
            return path
        set_input_shapes(model_of(module), shapes)
        drop_hints(model_of(module))
        write_model(module, Output(str(result)))
        return result


def inputs_for(path: Path) -> Mapping[str, Array]:
    """Return random blobs for the inputs of a model. Raise `UsageError` if the file has no input
    shapes."""
    module = read_model(str(path), ReadOptions(weights="none")).module
    rng = np.random.default_rng(0)
    return {name: random_input(name, value, rng) for name, value in inputs_of(module).items()}
