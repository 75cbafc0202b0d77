"""The options that add passes before and after those that a user names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from xdsl.dialects.builtin import DYNAMIC_INDEX

from ..transforms.dynamic_shapes.dynamic_axes import parse_dynamic_axes
from ..transforms.infer_shapes import InferShapes, parse_extents
from ..transforms.specialize_shapes import SpecializeShapes
from ..transforms.tune import CHOICES, Tune
from .errors import UsageError
from .pipelines import Step, for_release, quoted, storage_step

if TYPE_CHECKING:
    from ..dialects.ncnn.slots import Shape

    Shapes = Mapping[str, Shape]

MAKE_DYNAMIC = "make-dynamic"


@dataclass(frozen=True)
class PipelineOptions:
    """Options about the model that a pipeline makes. Shapes are input shapes by name."""

    release: str | None = None
    """The oldest release of ncnn that must run the model."""
    processor: str | None = None
    """The family of processors of `--tune`."""
    fixed: "Shapes" = field(default_factory=dict[str, "Shape"])
    """Shapes that inputs always have."""
    at_most: "Shapes" = field(default_factory=dict[str, "Shape"])
    """Shapes that inputs never exceed."""
    input_shapes: "Shapes" = field(default_factory=dict[str, "Shape"])
    dynamic_axes: Sequence[str] = ()
    """Axes of inputs that become dynamic, each as `make-dynamic` takes it: `in0:h`."""
    cut_from: str | None = None
    cut_to: str | None = None
    kept_blobs: Sequence[str] = ()
    """Blobs that become outputs."""
    storage: str | None = None
    """The storage of float weights; `None` for the default after passes that do not store any."""
    hints: Literal["write", "drop"] | None = None
    """Whether the result has shape hints; `None` keeps the hints."""

    def around(self, passes: Sequence[Step]) -> list[Step]:
        """Return these passes with the passes of the options. Shapes come first, because other
        passes depend on them, then tuning, cutting and keeping; storage and hints come last."""
        first = [*for_release(self.release), *specializing(self.fixed, self.at_most)]
        if self.input_shapes:
            no_hints = "hints=false " if self.dynamic_axes else ""
            shapes = shape_option(self.input_shapes)
            first.append(f"{InferShapes.name}{{{no_hints}input_shape={shapes}}}")
        if self.dynamic_axes:
            axes = ",".join(map(quoted, self.dynamic_axes))
            first += ["eliminate-split", "fold-constants", f"{MAKE_DYNAMIC}{{axes={axes}}}"]
        steps = [*cutting(self.cut_from, self.cut_to), *_keeping(self.kept_blobs), *passes]
        steps += storage_step(passes, self.storage)
        if self.hints == "drop":
            steps.append(f"{InferShapes.name}{{hints=false}}")
        elif self.hints == "write" and (steps or self.fixed or self.at_most):
            steps.append(InferShapes.name)
        return [*first, *tuning(self.processor), *steps]


def tuning(processor: str | None) -> list[str]:
    """Return the pass for a family of processors, if one is given. Raises `UsageError` for an
    unknown family."""
    if processor is None:
        return []
    if processor not in CHOICES:
        raise UsageError(f"tune is one of {', '.join(CHOICES)}, not '{processor}'")
    return [f"{Tune.name}{{processor={processor}}}"]


def specializing(fixed: "Shapes", at_most: "Shapes") -> list[str]:
    """Return the pass for inputs with static or bounded shapes, if any are given."""
    given = {"fixed": fixed, "at_most": at_most}
    options = [f"{key}={shape_option(shapes)}" for key, shapes in given.items() if shapes]
    return [f"{SpecializeShapes.name}{{{' '.join(options)}}}"] if options else []


def cutting(start: str | None, end: str | None) -> list[str]:
    """Return the pass that cuts a model at these layers, if any are given."""
    bounds = {"from": start, "to": end}
    given = [f"{key}={quoted(name)}" for key, name in bounds.items() if name is not None]
    return [f"cut-model{{{' '.join(given)}}}"] if given else []


def _keeping(blobs: Sequence[str]) -> list[str]:
    return [f"keep-blobs{{names={','.join(map(quoted, blobs))}}}"] if blobs else []


def shape_option(shapes: "Shapes") -> str:
    """Return shapes as the value of a pass's option: `"data:3x224x224"`."""
    return ",".join(quoted(f"{name}:{'x'.join(map(_extent, s))}") for name, s in shapes.items())


def _extent(extent: int) -> str:
    return "?" if extent == DYNAMIC_INDEX else str(extent)


def parse_axes(specs: Sequence[str]) -> list[str]:
    """Return the axes of `INPUT=h,w` options as the pass takes them: `INPUT:h`. Raises
    `UsageError`."""
    found: list[str] = []
    for spec in specs:
        name, _, axes = spec.rpartition("=")
        found += [f"{name}:{axis}" for axis in axes.split(",")]
        try:
            parse_dynamic_axes(found)
        except ValueError as e:
            raise UsageError(f"--dynamic takes INPUT=AXES, as in0=h,w; '{spec}': {e}") from e
    return found


def parse_input_shapes(specs: Sequence[str], option: str = "--input-shape") -> "dict[str, Shape]":
    """Return the shapes of `INPUT=3,224,224` options by input. Raises `UsageError`."""
    shapes: dict[str, Shape] = {}
    for spec in specs:
        name, _, extents = spec.rpartition("=")
        if not name:
            raise UsageError(f"{option} takes INPUT=EXTENTS, as data=3,224,224, not '{spec}'")
        if name in shapes:
            raise UsageError(f"{option} is given twice for '{name}'")
        try:
            shapes[name] = parse_extents(extents.split(","))
        except ValueError as e:
            raise UsageError(f"{option} {spec}: {e}") from e
    return shapes
