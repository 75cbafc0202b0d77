"""Pipelines from the arguments of the Python API.

Commands that compile, export or quantize also take the passes of `-O` from here, so that `-O` means
the same passes in each of them.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..dialects.ncnn.weight_specs import Shape
from ..formats.displays import Displayed
from ..frontends.mlir.parsing import verify_ir
from ..transforms.infer_shapes import parse_extents
from ..transforms.rewriting.remarks import Remark, listening
from ..transforms.storage.convert_storage import DEFAULT_STORAGE, ROUNDED_STORAGE
from .errors import UsageError
from .pipelines import (
    known_release,
    limited,
    make_pass,
    optimizing,
    passes_of_steps,
    run_pipeline,
    storage_step,
    with_options,
)
from .releases import watching_releases
from .unsupported_layers import repairs_of

Shapes = Mapping[str, Sequence[int | None]]
"""Shapes of inputs by name, outermost extent first, `None` for a dynamic extent."""


class Remarks(Displayed, list[Remark]):
    """The remarks of a call, in order: a list that sessions and notebooks show as a short table."""

    def heading(self) -> str:
        """Return the number of remarks."""
        return "1 remark" if len(self) == 1 else f"{len(self)} remarks"

    def table_rows(self) -> Sequence[Sequence[str]]:
        """Return the rewrites, the layers and the notes."""
        rows = [(each.rewrite, ", ".join(each.layers), each.note) for each in self]
        return [("rewrite", "layers", "note"), *rows]

    def __str__(self) -> str:
        """Return a line for each remark."""
        return "\n".join(map(str, self))


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
) -> list[ModulePass]:
    """Return the pipeline of `optimize`: the given passes, or `-O`, with the passes of the other
    arguments. Raises `UsageError`."""
    fixed, at_most = shapes_in_ir(fix_shapes), shapes_in_ir(max_shape)
    given = shapes_in_ir(shapes)
    storage = ROUNDED_STORAGE if round_weights else DEFAULT_STORAGE
    if passes is None:
        steps = passes_of_optimize(module, for_ncnn, storage)
    else:
        steps = passes_of_steps(passes)
    return with_options(
        steps,
        release=None if for_ncnn is None else known_release(for_ncnn),
        processor=tune,
        fixed=fixed,
        at_most=at_most,
        input_shapes=given,
        storage=storage if storage_step(steps) else None,
        hints="write" if given or (fixed and not at_most) else None,
    )


def run_optimization(
    module: ModuleOp, path: str, passes: object = None, for_ncnn: str | None = None, **options: Any
) -> list[Remark]:
    """Run the pipeline of `pipeline_for` on a module that was read from `path`. Return its remarks.
    Raises one of `USER_ERRORS`."""
    remarks = Remarks()
    with listening(remarks.append):
        verify_ir(module, path)
        pipeline = pipeline_for(module, passes, for_ncnn=for_ncnn, **options)
        wanted = None if for_ncnn is None else known_release(for_ncnn)
        with watching_releases(module, path, wanted):
            run_pipeline(module, pipeline, path)
    return remarks


def passes_of_optimize(
    module: ModuleOp, release: str | None = None, storage: str | None = None
) -> list[ModulePass]:
    """Return the passes of `-O` for a module."""
    return [*repairs_of(module), *limited(optimizing(release), storage)]


FOR_INT8 = "replace-deconvolution-with-convolution"
"""The pass that replaces layers without int8 by layers with int8."""


def optimize_for_int8(module: ModuleOp, for_ncnn: str | None, path: str) -> None:
    """Run the passes of `-O` and `FOR_INT8` on a module that was read from `path`. Raises one of
    `USER_ERRORS`."""
    passes = [*repairs_of(module), *optimizing(for_ncnn), make_pass(FOR_INT8)]
    run_pipeline(module, with_options(passes), path)


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
