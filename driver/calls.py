"""Pipelines from the arguments of the Python API."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..dialects.ncnn.slots import Shape
from ..frontends.mlir.parsing import verify_ir
from ..transforms.infer_shapes import parse_extents
from ..transforms.rewriting.remarks import Remark, listening
from ..transforms.storage.convert_storage import DEFAULT_STORAGE, ROUNDED_STORAGE
from .errors import UsageError
from .missing import repairs_of
from .pipeline_options import PipelineOptions
from .pipelines import (
    Step,
    known_release,
    limited,
    optimizing,
    run_pipeline,
    storage_step,
    storing,
)
from .releases import watching_releases

Shapes = Mapping[str, Sequence[int | None]]
"""Shapes of inputs by name, outermost extent first, `None` for a dynamic extent."""


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
    """Return the pipeline of `optimize`: the given passes, or `-O`, with the passes of the other
    arguments. Raises `UsageError`."""
    fixed, at_most = shapes_in_ir(fix_shapes), shapes_in_ir(max_shape)
    given = shapes_in_ir(shapes)
    storage = ROUNDED_STORAGE if round_weights else DEFAULT_STORAGE
    if passes is None:
        steps: Sequence[Step] = passes_of_optimize(module, for_ncnn, storage)
    else:
        steps = steps_of(passes)
    return PipelineOptions(
        for_ncnn,
        tune,
        fixed,
        at_most,
        given,
        storage=storage if storage_step(steps) else None,
        hints="write" if given or (fixed and not at_most) else None,
    ).around(steps)


def run_optimization(
    module: ModuleOp, path: str, passes: object = None, for_ncnn: str | None = None, **options: Any
) -> list[Remark]:
    """Run the pipeline of `pipeline_for` on a module that was read from `path`. Return its remarks.
    Raises one of `USER_ERRORS`."""
    remarks: list[Remark] = []
    with listening(remarks.append):
        verify_ir(module, path)
        pipeline = pipeline_for(module, passes, for_ncnn=for_ncnn, **options)
        wanted = None if for_ncnn is None else known_release(for_ncnn)
        with watching_releases(module, path, wanted):
            run_pipeline(module, pipeline, path)
    return remarks


def passes_of_optimize(
    module: ModuleOp, release: str | None = None, storage: str | None = None
) -> list[str]:
    """Return the passes of `-O` for a module."""
    return [*repairs_of(module), *limited(optimizing(release), storage)]


FOR_INT8 = "replace-deconvolution-with-convolution"
"""The pass that replaces layers without int8 by layers with int8."""


def optimize_for_int8(module: ModuleOp, for_ncnn: str | None, path: str) -> None:
    """Run the passes of `-O` and `FOR_INT8` on a module that was read from `path`. Raises one of
    `USER_ERRORS`."""
    passes = [*repairs_of(module), *optimizing(for_ncnn), FOR_INT8]
    run_pipeline(module, storing(",".join(passes)), path)


def steps_of(passes: object) -> list[Step]:
    """Return one pass or several as steps: names, passes, or classes of passes. Raises
    `UsageError` for other values."""
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


def shapes_in_ir(shapes: Shapes | None) -> dict[str, Shape]:
    """Return shapes as types have them. Raises `UsageError` for values that are no extents."""
    found: dict[str, Shape] = {}
    for name, shape in (shapes or {}).items():
        if isinstance(shape, str) or not isinstance(cast(object, shape), Sequence):
            raise UsageError(f"shapes: '{name}' has some extents, as (3, 224, 224), not {shape!r}")
        try:
            found[name] = parse_extents(["?" if n is None else str(n) for n in shape])
        except ValueError as e:
            raise UsageError(f"shapes: {e}") from e
    return found
