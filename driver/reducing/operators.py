"""The layers of a model that compute something else than an operator of its PyTorch model.

Delta debugging has no test here: PyTorch has no model for a part of the layers. The comparison
layer by layer (`runtime/layerwise`) names the first operator that differs, with the layers between
it and blobs that agree. These layers are the reduced model; its inputs and PyTorch's result are
arrays.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from ...analysis.shape_inference import set_input_shapes
from ...dialects.ncnn.function import inputs_of, named, output_names, set_outputs
from ...dialects.ncnn.lookup import model_of
from ...formats.file_names import is_source_model
from ...interpreters.run import blobs_of
from ...runtime.layerwise.comparison import SourceAgreement
from ...runtime.layerwise.comparison_text import reason_of_disagreement
from ...runtime.layerwise.differences import OperatorDifference
from ...runtime.trial_shapes import random_inputs
from ...transforms.edits.naming import file_layers
from ...transforms.reduction.layers import without_layers
from ..errors import UsageError
from ..source_files import read_source
from ..source_models import compare_model

Array = NDArray[Any]


@dataclass(frozen=True)
class WrongOperator:
    """The layers of one difference."""

    module: ModuleOp
    reason: str
    inputs: Mapping[str, Array]
    """The blobs that the layers read, which agree with PyTorch."""
    expected: Mapping[str, Array]
    """PyTorch's result for these inputs."""


def find_wrong_operator(
    module: ModuleOp, path: str, source: str, tolerance: float
) -> WrongOperator | None:
    """Return the layers of the first difference from a model of PyTorch; `None` if the models
    agree. Raises one of `USER_ERRORS`."""
    found = _compare(module, path, source, tolerance)
    if found:
        return None
    difference = next(iter(found.differences), None)
    if difference is None or not difference.layers:
        reason = reason_of_disagreement(found)
        raise UsageError(f"{path} differs from {source}, but no layer is at fault: {reason}")
    made = _only(module, difference)
    names = inputs_of(model_of(made))
    inputs = {name: found.arrays[name] for name in names if name in found.arrays}
    set_input_shapes(model_of(made), {name: array.shape for name, array in inputs.items()})
    (name, *_) = output_names(model_of(made))
    expected = difference.expected
    own = found.arrays.get(name)
    if own is not None and expected is not None and own.size == expected.size:
        expected = expected.reshape(own.shape)
    arrays = {} if expected is None else {name: expected}
    return WrongOperator(
        made, reason_of_disagreement(found).removeprefix("the first difference: "), inputs, arrays
    )


def _compare(module: ModuleOp, path: str, source: str, tolerance: float) -> SourceAgreement:
    """Compare a model with a file or a function in the runtime."""
    if is_source_model(source):
        return compare_model(module, path, source, tolerance=tolerance, engine="ncnn")
    blobs, _ = random_inputs(model_of(module), 0)
    example = [np.expand_dims(blob, 0) for blob in blobs.values()]
    made = read_source(source, example=example)
    return compare_model(
        module, path, made.function, list(made.inputs), tolerance=tolerance, engine="ncnn"
    )


def _only(module: ModuleOp, difference: OperatorDifference) -> ModuleOp:
    """Return a model of the layers of a difference."""
    copy = module.clone()
    func = model_of(copy)
    values = blobs_of(func)
    own = {name for layer in difference.layers for name in layer.outputs}
    ends = _ends(difference)
    set_outputs(func, [(values[name], named(name)) for name in ends if name in values])
    inside = {values[name].owner for name in own if name in values}
    others = [i for i, op in enumerate(file_layers(func)) if op not in inside]
    made = without_layers(copy, others, suffix="")
    assert made is not None
    return made


def _ends(difference: OperatorDifference) -> Sequence[str]:
    """Return the blobs that the reduced model computes."""
    if difference.blob is not None and difference.kind != "exchanged":
        return [difference.blob]
    if difference.kind == "exchanged":
        return [name for layer in difference.layers for name in layer.outputs]
    return difference.layers[-1].outputs
