"""Pipelines of passes as text, what can be wrong with one, and running it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from xdsl.passes import ModulePass, PassPipeline
from xdsl.utils.arg_spec import parse_pipeline
from xdsl.utils.exceptions import ArgSpecParseError

from ..analysis.target_info.releases import check_release
from ..dialects.xdsl_extras.spelling import nearest
from ..transforms.for_release import ForRelease
from ..transforms.limit_growth import LimitGrowth
from ..transforms.rewriting.passes import PASSES
from ..transforms.rewriting.stages import FOR_OWN_RELEASE, OPTIMIZE, STAGES, passes_of
from ..transforms.specialize_shapes import SpecializeShapes
from ..transforms.storage.convert_storage import DEFAULT_STORAGE, ConvertStorage
from ..transforms.tune import CHOICES, Tune
from .environment import AllPasses, LoadPass, make_context
from .errors import USER_ERRORS, PassError, UsageError

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

Passes = Mapping[str, LoadPass]
"""Passes by name, imported when they are asked for."""

Observer = Callable[[ModulePass | None, "ModuleOp", ModulePass | None], None]
"""Is called before the first pass and after each: with the pass that was, the module, and the pass
that follows."""

Verification = Literal["each", "end", "never"]
"""When IR is verified: after each pass, after the last one, or not at all."""


def available_passes() -> Passes:
    """All passes of this environment."""
    return AllPasses()


def check_pipeline(pipeline: str, passes: Passes) -> None:
    """Raises `UsageError` unless a pipeline (`pass,pass{key=value}`) can be read, its passes exist,
    and these take the options that they are given."""
    try:
        for spec in parse_pipeline(pipeline):
            if spec.name not in passes:
                raise unknown_pass(spec.name, passes)
            passes[spec.name]().from_pass_spec(spec)
    except ArgSpecParseError as e:
        reason = str(e).strip().splitlines()[-1].strip()
        raise UsageError(f"in the pipeline '{pipeline}': {reason}") from e
    except ValueError as e:  # xDSL's word for an option that a pass does not have
        raise UsageError(f"in the pipeline '{pipeline}': {e}") from e


def tuned(pipeline: str, processor: str | None) -> str:
    """A pipeline that does what is fast on a family of processors. Raises `UsageError` for one that
    is not known."""
    if processor is None:
        return pipeline
    if processor not in CHOICES:
        raise UsageError(f"tune is one of {', '.join(CHOICES)}, not '{processor}'")
    return ",".join([f"{Tune.name}{{processor={processor}}}", *([pipeline] if pipeline else [])])


def for_release(release: str | None) -> list[str]:
    """The pass that names the release for which a model is made, if one is given. Raises
    `UsageError` for an unknown release."""
    return [] if release is None else [f"{ForRelease.name}{{release={known_release(release)}}}"]


def optimizing(release: str | None) -> tuple[str, ...]:
    """The passes of `-O`, where a release may have been named before (see `for_release`)."""
    return FOR_OWN_RELEASE if release is None else OPTIMIZE


def known_release(name: str) -> str:
    """The release that a user names. Raises `UsageError` that lists the known ones."""
    try:
        return check_release(name)
    except ValueError as e:
        raise UsageError(str(e)) from e


def promising(pipeline: str, fixed: Sequence[str], at_most: Sequence[str]) -> str:
    """A pipeline for inputs that always have some shapes, or at most some, each as the pass takes
    them (`in0:3x224x224`)."""
    given = (("fixed", fixed), ("at_most", at_most))
    options = [f"{key}={','.join(map(quoted, shapes))}" for key, shapes in given if shapes]
    spec = [f"{SpecializeShapes.name}{{{' '.join(options)}}}"] if options else []
    return ",".join([*spec, *([pipeline] if pipeline else [])])


def quoted(name: str) -> str:
    """A name as the value of an option in a pipeline."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def limited(passes: Iterable[str], storage: str | None = None) -> list[str]:
    """Passes that may make weights only a little larger, if all weights are stored so in the
    end."""
    options = "" if storage in (None, DEFAULT_STORAGE) else f"{{storage={storage}}}"
    return [f"{LimitGrowth.name}{options}", *passes]


def storing(pipeline: str, storage: str | None = None) -> str:
    """A pipeline with the pass at its end that stores weights as an option specifies. Without the
    option, the pass comes only after other passes, none of which stores weights. Raises
    `UsageError` for a pipeline that cannot be meant."""
    check_pipeline(pipeline, available_passes())
    if storage is None and (not pipeline or f"{ConvertStorage.name}{{" in pipeline):
        return pipeline
    last = f"{ConvertStorage.name}{{storage={storage or DEFAULT_STORAGE}}}"
    return f"{pipeline},{last}" if pipeline else last


def stopped_after(pipeline: str, name: str) -> str:
    """A pipeline up to a stage of `-O`, or a pass, and with it. Raises `UsageError` if it is not
    there."""
    specs, last = list(parse_pipeline(pipeline)), passes_of(name)[-1]
    places = [place for place, spec in enumerate(specs) if spec.name == last]
    if not places:
        known = [*(stage.name for stage in STAGES), *(spec.name for spec in specs)]
        raise UsageError(f"no stage or pass '{name}' to stop after" + nearest(name, known))
    return ",".join(map(str, specs[: places[-1] + 1]))


Step: TypeAlias = str | ModulePass
"""A part of a pipeline, as text or as a pass."""


def run_pipeline(
    module: "ModuleOp",
    pipeline: str | Sequence[Step],
    path: str = "",
    *,
    observers: Sequence[Observer] = (),
    verification: Verification = "end",
) -> None:
    """Runs a pipeline on a module that was read from `path`. Raises one of `USER_ERRORS`, and
    `PassError` for whatever else a pass raises that is not ours."""
    from ..frontends.mlir.parsing import verify_ir

    running: ModulePass | None = None

    def callback(done: ModulePass | None, module: "ModuleOp", following: ModulePass | None) -> None:
        nonlocal running
        running = None
        if verification == "each" or (verification == "end" and done and not following):
            verify_ir(module, path)
        for observe in observers:
            observe(done, module, following)
        running = following

    passes: list[ModulePass] = []
    for step in [pipeline] if isinstance(pipeline, str) else pipeline:
        passes += passes_in(step) if isinstance(step, str) else [step]
    # Ours and canonicalize look nothing up. Other passes may, as those that read operations do.
    context = make_context(foreign=not {p.name for p in passes} <= {*PASSES, "canonicalize"})
    try:
        PassPipeline(tuple(passes), callback).apply(context, module)
    except USER_ERRORS:
        raise
    except Exception as e:
        if running is None or _is_ours(running):
            raise
        words = f"the pass '{running.name}' of {type(running).__module__} has failed"
        raise PassError(f"{words}: {type(e).__name__}: {e}") from e


def _is_ours(step: ModulePass) -> bool:
    """Whether a pass is in this package, or is xDSL's `canonicalize`, which runs our patterns."""
    return type(step).__module__.startswith("ncnn_opt.") or step.name == "canonicalize"


def passes_in(pipeline: str) -> list[ModulePass]:
    """The passes of a pipeline as text. Raises `UsageError`."""
    known = available_passes()
    check_pipeline(pipeline, known)
    return [known[spec.name]().from_pass_spec(spec) for spec in parse_pipeline(pipeline)]


def unknown_pass(name: str, passes: Passes) -> UsageError:
    """The error for a pass that does not exist, with the nearest one that does."""
    return UsageError(f"unknown pass '{name}'" + nearest(name, list(passes)))
