"""The registry of layer semantics.

A layer's function is in the file with the name of the layer's own file in `dialects/ncnn/`:

    @semantics(AbsValOp)
    def absval(op: AbsValOp, inputs: Inputs, weights: Weights) -> Array:
        return np.abs(inputs[0])
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from numpy.typing import NDArray

from ...dialects.ncnn.layer import LayerOp

Array: TypeAlias = NDArray[Any]
"""A blob, row-major in the order of its tensor type: float32, or int8, int32 and float16 if the
layer computes those."""
Inputs: TypeAlias = Sequence[Array]
"""A layer's input blobs."""
Weights: TypeAlias = Mapping[str, Array | None]
"""A layer's weights by name, `None` for an absent one: float32, or int8 as stored."""
Semantics: TypeAlias = Callable[[Any, Inputs, Weights], Array | Sequence[Array]]
"""The results of a layer for its input blobs and weights: one blob or several."""

SEMANTICS: dict[type[LayerOp], Semantics] = {}
"""The function of each layer type. It also computes the layer types derived from this one.
`layer_evaluation.py` imports the files that add functions."""


def semantics(*layers: type[LayerOp]) -> Callable[[Semantics], Semantics]:
    """Return a decorator that adds the function of these layer types to `SEMANTICS`."""

    def add(function: Semantics) -> Semantics:
        SEMANTICS.update(dict.fromkeys(layers, function))
        return function

    return add


class NoSemantics(Exception):
    """The layer has no reference semantics."""


def needed(weights: Weights, name: str) -> Array:
    """Return a weight that must be present."""
    value = weights[name]
    assert value is not None
    return value
