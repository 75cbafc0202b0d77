"""What a program asks for, with values of Python, as a pipeline."""

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..dialects.ncnn.slots import Shape
from ..transforms.infer_shapes import InferShapes
from ..transforms.storage.convert_storage import DEFAULT_STORAGE, ROUNDED_STORAGE, ConvertStorage
from .errors import UsageError
from .missing import repairs_of
from .pipelines import (
    Step,
    for_release,
    limited,
    optimizing,
    promising,
    quoted,
    run_pipeline,
    storing,
    tuned,
)

Shapes = Mapping[str, Sequence[int | None]]
"""Shapes of inputs by name, outermost extent first, `None` for one of which nothing is said."""


def pipeline_for(
    module: ModuleOp,
    passes: object = None,
    *,
    tune: str | None = None,
    for_ncnn: str | None = None,
    fix_shapes: Shapes | None = None,
    max_shape: Shapes | None = None,
    shapes: Shapes | None = None,
    round_weights: bool = False,
) -> list[Step]:
    """The passes for a model: those that are asked for, or those of `-O`, between what the other
    arguments say. Raises `UsageError` for what cannot be meant."""
    storage = ROUNDED_STORAGE if round_weights else DEFAULT_STORAGE
    every = [*repairs_of(module), *limited(optimizing(for_ncnn), storage)]
    steps = steps_of(every if passes is None else passes)
    if steps and not any(map(_stores, steps)):
        steps.append(f"{ConvertStorage.name}{{storage={storage}}}")
    if shapes or (fix_shapes and not max_shape):
        steps.append(InferShapes.name)
    if shapes_in_ir(shapes):
        given = ",".join(map(quoted, named_shapes(shapes)))
        steps.insert(0, f"{InferShapes.name}{{input_shape={given}}}")
    first = promising("", named_shapes(fix_shapes), named_shapes(max_shape))
    return [*for_release(for_ncnn), tuned(first, tune), *steps]


FOR_INT8 = "replace-deconvolution-with-convolution"
"""The pass that replaces layers without int8 by layers with int8."""


def optimize_for_int8(module: ModuleOp, for_ncnn: str | None, path: str) -> None:
    """Run the passes of `-O` and `FOR_INT8` on a module that was read from `path`. Raises one of
    `USER_ERRORS`."""
    passes = [*repairs_of(module), *optimizing(for_ncnn), FOR_INT8]
    run_pipeline(module, storing(",".join(passes)), path)


def steps_of(passes: object) -> list[Step]:
    """One pass or several: names, passes, or their classes. Raises `UsageError` for anything
    else."""
    several = isinstance(passes, Iterable) and not isinstance(passes, str)
    steps: list[Step] = []
    for each in cast(Iterable[object], passes) if several else [cast(object, passes)]:
        if isinstance(each, type) and issubclass(each, ModulePass):
            steps.append(each())
        elif isinstance(each, str | ModulePass):
            steps.append(each)
        else:
            raise UsageError(f"a pass is its name or a ModulePass, not {each!r}")
    return steps


def _stores(step: Step) -> bool:
    """Whether a pass says itself how weights are to be stored."""
    if isinstance(step, str):
        return f"{ConvertStorage.name}{{" in step
    return isinstance(step, ConvertStorage)


def named_shapes(shapes: Shapes | None) -> list[str]:
    """Shapes as a pass takes them. Raises `UsageError` for what is none."""
    texts: list[str] = []
    for name, shape in (shapes or {}).items():
        if isinstance(shape, str) or not isinstance(cast(object, shape), Sequence):
            raise UsageError(f"shapes: '{name}' has some extents, as (3, 224, 224), not {shape!r}")
        texts.append(f"{name}:{'x'.join(map(_extent, shape))}")
    return texts


def _extent(extent: int | None) -> str:
    return "?" if extent is None else str(extent)


def shapes_in_ir(shapes: Shapes | None) -> Mapping[str, Shape]:
    """Shapes as types have them. Raises `UsageError` for what is none."""
    try:
        return InferShapes(input_shape=tuple(named_shapes(shapes))).input_shapes()
    except ValueError as e:
        raise UsageError(f"shapes: {e}") from e
