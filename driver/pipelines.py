"""Pipelines of passes: passes from text and from options, and their run."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from xdsl.passes import ModulePass, PassPipeline
from xdsl.utils.arg_spec import ParameterType, parse_pipeline
from xdsl.utils.exceptions import ArgSpecParseError

from ..analysis.target_info import CHOICES
from ..analysis.target_info.releases import check_release
from ..dialects.xdsl_extras.spelling import nearest
from ..transforms.infer_shapes import InferShapes, parse_extents, shape_texts
from ..transforms.rewriting.observers import Observer, current_observers, observing
from ..transforms.rewriting.passes import PASSES
from ..transforms.rewriting.stages import OPTIMIZE, STAGES, passes_of
from ..transforms.storage.convert_storage import DEFAULT_STORAGE, ConvertStorage
from .environment import available_passes, make_context
from .errors import USER_ERRORS, PassError, UsageError

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ..dialects.ncnn.weight_specs import Shape
    from .edits import Edits

    Shapes = Mapping[str, Shape]

Step: TypeAlias = str | ModulePass
"""A part of a pipeline as a user gives it: text (`pass,pass{key=value}`), or a pass."""

VERIFICATION, REPORTS = "(verification)", "(reports)"
"""The names of the work between passes."""

Verification = Literal["each", "end", "never"]
"""The verification of IR: after each pass, after the last pass, or never."""


def passes_in(pipeline: str) -> list[ModulePass]:
    """Return the passes of a pipeline that is given as text (`pass,pass{key=value}`). Raises
    `UsageError` for a syntax error, an unknown pass, or an unknown or invalid option."""
    known = available_passes()
    found: list[ModulePass] = []
    try:
        for spec in parse_pipeline(pipeline):
            if spec.name not in known:
                raise unknown_pass(spec.name)
            found.append(known[spec.name]().from_spec(spec))
    except ArgSpecParseError as e:
        reason = str(e).strip().splitlines()[-1].strip()
        raise UsageError(f"in the pipeline '{pipeline}': {reason}") from e
    except ValueError as e:  # xDSL's error for an unknown option
        raise UsageError(f"in the pipeline '{pipeline}': {e}") from e
    return found


def make_pass(name: str, *options: object, **named: object) -> ModulePass:
    """Return a pass with options, in order or by name. Raises `UsageError` for invalid ones."""
    try:
        return cast(Any, available_passes()[name]())(*options, **named)
    except ValueError as e:
        raise UsageError(f"in the pass '{name}': {e}") from e


def named_passes(names: Iterable[str]) -> list[ModulePass]:
    """Return passes without options."""
    return list(map(make_pass, names))


def pipeline_text(passes: Iterable[ModulePass]) -> str:
    """Return passes in the syntax of `-p` and xdsl-opt."""
    return ",".join(map(_pass_text, passes))


def _pass_text(step: ModulePass) -> str:
    spec = step.spec()
    options = (f"{key}={','.join(map(_option_text, v))}" for key, v in spec.parameters.items())
    return f"{spec.name}{{{' '.join(options)}}}" if spec.parameters else spec.name


def _option_text(value: ParameterType) -> str:
    if not isinstance(value, str):
        return str(value).lower()
    is_word = re.fullmatch(r"(?!(?:true|false)$)[A-Za-z][A-Za-z0-9_-]*", value)
    return value if is_word else quoted(value)


def quoted(name: str) -> str:
    """Return a name as the value of an option in a pipeline."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def optimizing(release: str | None) -> list[ModulePass]:
    """Return the passes of `-O`, with or without a target release of the runtime. Without one, the
    result runs on each release that runs the original model; later passes may create everything
    that the newest release supports."""
    passes = named_passes(OPTIMIZE)
    if release is not None:
        return passes
    return [make_pass("ncnn-for-release"), *passes, make_pass("ncnn-for-release", "any")]


def known_release(name: str) -> str:
    """Return the release of this name. Raises `UsageError` with the known releases."""
    try:
        return check_release(name)
    except ValueError as e:
        raise UsageError(str(e)) from e


def limited(passes: Iterable[ModulePass], storage: str | None = None) -> list[ModulePass]:
    """Return passes with the limit on the growth of weights, for weights in this storage."""
    return [make_pass("limit-growth", storage=storage or DEFAULT_STORAGE), *passes]


def storage_step(
    steps: Sequence[ModulePass], storage: str | None = None, of: Sequence[str] = ()
) -> list[ModulePass]:
    """Return the pass after these that stores weights as an option specifies; `of` are the storages
    of some layers. Without the options, it follows only passes that do not store weights
    themselves."""
    if of:
        return [make_pass("convert-storage", storage or DEFAULT_STORAGE, tuple(of))]
    if storage is None and (not steps or any(isinstance(s, ConvertStorage) for s in steps)):
        return []
    return [ConvertStorage(storage or DEFAULT_STORAGE)]


def stopped_after(passes: Sequence[ModulePass], name: str) -> list[ModulePass]:
    """Return a pipeline up to and including a stage of `-O` or a pass. Raises `UsageError` for an
    unknown stage or pass."""
    names, last = [step.name for step in passes], passes_of(name)[-1]
    if last not in names:
        known = [*(stage.name for stage in STAGES), *names]
        raise UsageError(f"no stage or pass '{name}' to stop after" + nearest(name, known))
    return list(passes[: len(names) - names[::-1].index(last)])


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

    - `release`: the oldest release of ncnn that must run the model, from `known_release`.
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
        first.append(make_pass("ncnn-for-release", release))
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


def run_pipeline(
    module: "ModuleOp",
    pipeline: Step | Iterable[Step],
    path: str = "",
    *,
    observers: Sequence[Observer] = (),
    verification: Verification = "end",
) -> None:
    """Run a pipeline on a module that was read from `path`. `observers` also observe it, beside
    those in force. Raises one of `USER_ERRORS`, and `PassError` for any other exception in a pass
    of another package."""
    from ..frontends.mlir.parsing import verify_ir

    running: ModulePass | None = None

    def callback(done: ModulePass | None, module: "ModuleOp", following: ModulePass | None) -> None:
        nonlocal running
        running = None
        end_part(None if done is None else done.name)
        if verification == "each" or (verification == "end" and done and not following):
            verify_ir(module, path)
            end_part(VERIFICATION)
        for observe in current_observers().between_passes:
            observe(done, module, following)
        end_part(REPORTS)
        running = following

    passes = passes_of_steps(pipeline)
    # Our passes and canonicalize do not use the context's dialects; other passes may.
    context = make_context(foreign=not {p.name for p in passes} <= {*PASSES, "canonicalize"})
    try:
        with observing(*observers):
            PassPipeline(tuple(passes), callback).apply(context, module)
    except USER_ERRORS:
        raise
    except Exception as e:
        if running is None or _is_ours(running):
            raise
        words = f"the pass '{running.name}' of {type(running).__module__} has failed"
        raise PassError(f"{words}: {type(e).__name__}: {e}") from e


def end_part(name: str | None) -> None:
    """Tell the observers that a part of the work has ended: see `Observer.after_part`."""
    for after_part in current_observers().after_part:
        after_part(name)


def _is_ours(step: ModulePass) -> bool:
    """Whether a pass belongs to this package, or is `canonicalize`, which runs our patterns."""
    return type(step).__module__.startswith("ncnn_opt.") or step.name == "canonicalize"


def passes_of_steps(steps: object) -> list[ModulePass]:
    """Return the passes of one step or several, which may also be classes of passes. Raises
    `UsageError` for other values."""
    several = isinstance(steps, Iterable) and not isinstance(steps, str)
    passes: list[ModulePass] = []
    for each in cast(Iterable[object], steps if several else [steps]):
        if isinstance(each, str):
            passes += passes_in(each)
        elif isinstance(each, type) and issubclass(each, ModulePass):
            passes.append(each())
        elif isinstance(each, ModulePass):
            passes.append(each)
        else:
            raise UsageError(f"a pass is its name or a ModulePass, not {each!r}")
    return passes


def unknown_pass(name: str) -> UsageError:
    """Return the error for an unknown pass, with the most similar names."""
    return UsageError(f"unknown pass '{name}'" + nearest(name, list(available_passes())))
