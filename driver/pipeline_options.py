"""The options that add passes before and after those that a user names."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from xdsl.passes import ModulePass

from ..analysis.target_info import CHOICES
from ..transforms.infer_shapes import InferShapes, parse_extents, shape_texts
from .errors import UsageError
from .pipelines import known_release, make_pass, named_passes, storage_step

if TYPE_CHECKING:
    from ..dialects.ncnn.weight_specs import Shape
    from .edits import Edits

    Shapes = Mapping[str, Shape]


def with_options(
    passes: Sequence[ModulePass],
    *,
    release: str | None = None,
    processor: str | None = None,
    fixed: "Shapes" = {},
    at_most: "Shapes" = {},
    input_shapes: "Shapes" = {},
    dynamic_axes: Sequence[str] = (),
    cut_from: str | None = None,
    cut_to: str | None = None,
    kept_blobs: Sequence[str] = (),
    opaque_caches: bool = False,
    edits: "Edits | None" = None,
    storage: str | None = None,
    storage_of: Sequence[str] = (),
    hints: Literal["write", "drop"] | None = None,
) -> list[ModulePass]:
    """Return passes with the passes of options. Shapes come first, because other passes depend on
    them, then tuning, cutting and keeping; storage and hints come last. Raises `UsageError`.

    - `release`: the oldest release of ncnn that must run the model.
    - `processor`: the family of processors of `--tune`.
    - `fixed`, `at_most`, `input_shapes`: shapes of inputs by name; inputs always have `fixed`, and
      never exceed `at_most`.
    - `dynamic_axes`: axes of inputs that become dynamic, each as `make-dynamic` takes it: `in0:h`.
    - `kept_blobs`: blobs that become outputs.
    - `opaque_caches`: whether the heads of caches may change.
    - `edits`: the edits of the model (docs/editing.md).
    - `storage`: the storage of float weights; `None` for the default after passes that do not store
      any.
    - `storage_of`: the storage of some layers, each `PATTERN=STORAGE`.
    - `hints`: whether the result has shape hints; `None` keeps the hints.
    """
    first: list[ModulePass] = []
    if release is not None:
        first.append(make_pass("ncnn-for-release", known_release(release)))
    if fixed or at_most:
        shapes = shape_texts(fixed), shape_texts(at_most)
        first.append(make_pass("ncnn-specialize-shapes", *shapes))
    first += edits.feeds() if edits else []
    if input_shapes:
        first.append(InferShapes(shape_texts(input_shapes), hints=not dynamic_axes))
    if dynamic_axes:
        first += make_dynamic(dynamic_axes)
    steps: list[ModulePass] = []
    if edits is not None:
        steps += edits.insertions()
    if cut_from is not None or cut_to is not None:
        steps.append(make_pass("cut-model", cut_from, cut_to))
    if kept_blobs:
        steps.append(make_pass("keep-blobs", tuple(kept_blobs)))
    steps += edits.renamings() if edits else []
    steps += [*passes, *(share_heads() if opaque_caches else [])]
    steps += storage_step(passes, storage, storage_of)
    steps += edits.orders() if edits else []
    if hints == "drop" or (hints == "write" and (steps or fixed or at_most)):
        steps.append(InferShapes(hints=hints == "write"))
    joins, splits = (edits.joins(), edits.splits()) if edits else ([], [])
    joins += edits.declarations() if edits else []
    return [*joins, *first, *tuning(processor), *steps, *splits]


def tuning(processor: str | None) -> list[ModulePass]:
    """Return the pass for a family of processors, if one is given. Raises `UsageError` for an
    unknown family."""
    if processor is None:
        return []
    if processor not in CHOICES:
        raise UsageError(f"tune is one of {', '.join(CHOICES)}, not '{processor}'")
    return [make_pass("ncnn-tune", processor)]


def share_heads() -> list[ModulePass]:
    """Return the passes that share heads of keys and values also where they are cached."""
    return [make_pass("eliminate-split"), make_pass("eliminate-repeated-heads", True)]


def make_dynamic(axes: Sequence[str]) -> list[ModulePass]:
    """Return the passes that make axes of inputs dynamic. Raises `UsageError`."""
    clean_up = named_passes(("eliminate-split", "fold-constants"))
    return [*clean_up, make_pass("make-dynamic", tuple(axes))]


def parse_axes(specs: Sequence[str]) -> list[str]:
    """Return the axes of `INPUT=h,w:n` options as the pass takes them: `INPUT:h`, `INPUT:w=n`.
    Raises `UsageError`."""
    if not specs:
        return []
    from ..transforms.dynamic_shapes.dynamic_axes import parse_dynamic_axes

    found: list[str] = []
    for spec in specs:
        name, _, axes = spec.rpartition("=")
        found += [f"{name}:{axis.replace(':', '=')}" for axis in axes.split(",")]
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
