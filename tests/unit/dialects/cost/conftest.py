"""Single layers with inputs of known shapes."""

from collections.abc import Callable

import pytest
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.frontends.param.model_reader import import_param

Shape = tuple[int, ...]
LayerOf = Callable[..., LayerOp]

IDS = {1: (0,), 2: (1, 0), 3: (2, 1, 0), 4: (2, 11, 1, 0)}
"""The ids of an Input layer's extents, outermost first."""


def make_layer(line: str, *inputs: Shape | None) -> LayerOp:
    """The last layer of a model with these inputs, `x0`, `x1`, …; `None`: of unknown shape. `line`
    is its type, how many outputs it has, and its parameters."""
    kind, outputs, *params = line.split()
    names = [f"x{i}" for i in range(len(inputs))]
    lines: list[str] = []
    for name, shape in zip(names, inputs, strict=True):
        ids = IDS[len(shape)] if shape else ()
        extents = [f"{id}={n}" for id, n in zip(ids, shape or (), strict=True)]
        lines.append(" ".join(["Input", name, "0 1", name, *extents]))
    tops = [f"y{i}" for i in range(int(outputs))]
    lines.append(" ".join([kind, "it", str(len(names)), outputs, *names, *tops, *params]))
    text = "\n".join(["7767517", f"{len(lines)} {len(names) + len(tops)}", *lines]) + "\n"
    module, _ = import_param(text.encode(), "it.param", ReadOptions("none"))
    layers = [op for op in module.walk() if isinstance(op, LayerOp) and op.results]
    return next(op for op in reversed(layers) if op.layer_name is not None)


@pytest.fixture
def layer_of() -> LayerOf:
    """`layer_of(line, *shapes)`: a layer with inputs of these shapes."""
    return make_layer
