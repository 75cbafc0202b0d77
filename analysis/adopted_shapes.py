"""The shapes of given values as the shapes of a model's inputs."""

from collections.abc import Iterable, Mapping, Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument

from ..dialects.ncnn.blob import agree, shape_of
from ..dialects.ncnn.function import input_name, inputs_of
from ..dialects.ncnn.weight_specs import Shape, pattern_text
from ..interpreters.errors import RunError
from .input_shapes import contradictions
from .shape_inference import check_specialization, infer

BATCH = ": leave out the batch axis, as in x[0]"


def adopt_shapes(func: FuncOp, given: Mapping[str, Shape], what: str = "values") -> list[str]:
    """Set the shapes of a model's inputs, by name, and return a warning for each input that the
    file declares with other extents: these are hints, which the runtime ignores.

    Raise `RunError` for a different number of dimensions and for shapes that the weights of a layer
    do not allow, and `PassFailedException` for an input that is specialized to another shape.
    """
    changed: dict[BlockArgument, Shape] = {}
    warnings: list[str] = []
    for arg in func.body.block.args:
        name, declared = input_name(func, arg.index), shape_of(arg)
        shape = given.get(name, declared)
        if shape is None or shape == declared:
            continue
        check_specialization(name, arg, shape)
        if not agree(shape, declared):
            assert declared is not None
            has, takes = (pattern_text(each).replace(",", "x") for each in (shape, declared))
            if len(shape) != len(declared):
                hint = BATCH if len(shape) == len(declared) + 1 and shape[0] == 1 else ""
                raise RunError(f"input '{name}' has shape {has}, the model takes {takes}{hint}")
            warnings.append(
                f"input '{name}' is declared as {takes}, the {what} are {has}: "
                "declared extents are hints, and the weights allow these"
            )
        changed[arg] = shape
    if changed:
        infer(func, changed)
        if (found := next(contradictions(func), None)) is not None:
            four = any(len(shape) == 4 and shape[0] == 1 for shape in changed.values())
            raise RunError(f"{found}{BATCH if four else ''}")
    return warnings


Shapes = Mapping[str, Shape]
"""The shapes of inputs by name."""


def with_sample_shapes(
    func: FuncOp, samples: Iterable[tuple[str, Shapes]]
) -> tuple[FuncOp, list[str]]:
    """Return a copy of a model with the shapes of named samples (extents in which the samples
    differ are dynamic), and warnings for inputs that the model declares with other shapes. Raises
    `RunError` with the name of a sample that the model's weights do not allow."""
    warnings: dict[str, None] = {}
    seen: list[Shapes] = []
    for name, shapes in samples:
        if shapes not in seen:
            seen.append(shapes)
            try:
                warnings |= dict.fromkeys(adopt_shapes(func.clone(), shapes, "samples"))
            except RunError as e:
                raise RunError(f"{name}: {e}") from e
    copy = func.clone()
    args = inputs_of(copy)
    if seen:
        joined = {name: _joined([shapes[name] for shapes in seen]) for name in seen[0]}
        infer(copy, {args[name]: shape for name, shape in joined.items() if shape is not None})
    return copy, list(warnings)


def _joined(shapes: Sequence[Shape]) -> Shape | None:
    """Return the extents that shapes have in common; `None` for shapes of several ranks."""
    if len({len(shape) for shape in shapes}) > 1:
        return None
    axes = zip(*shapes, strict=True)
    return tuple(axis[0] if len(set(axis)) == 1 else DYNAMIC_INDEX for axis in axes)
