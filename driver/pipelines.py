"""Pipelines of passes: checking, extending and running them."""

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
from ..transforms.storage.convert_storage import DEFAULT_STORAGE, ConvertStorage
from .environment import AllPasses, LoadPass, make_context
from .errors import USER_ERRORS, PassError, UsageError

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

Passes = Mapping[str, LoadPass]
"""Passes by name, imported on demand."""

Observer = Callable[[ModulePass | None, "ModuleOp", ModulePass | None], None]
"""A function that is called before the first pass and after each pass, with the previous pass, the
module, and the next pass."""

Step: TypeAlias = str | ModulePass
"""A part of a pipeline, as text or as a pass."""

Verification = Literal["each", "end", "never"]
"""The verification of IR: after each pass, after the last pass, or never."""


def available_passes() -> Passes:
    """Return all passes of this environment."""
    return AllPasses()


def check_pipeline(pipeline: str, passes: Passes) -> None:
    """Raise `UsageError` for a pipeline (`pass,pass{key=value}`) with a syntax error, an unknown
    pass, or an unknown or invalid option."""
    try:
        for spec in parse_pipeline(pipeline):
            if spec.name not in passes:
                raise unknown_pass(spec.name, passes)
            passes[spec.name]().from_pass_spec(spec)
    except ArgSpecParseError as e:
        reason = str(e).strip().splitlines()[-1].strip()
        raise UsageError(f"in the pipeline '{pipeline}': {reason}") from e
    except ValueError as e:  # xDSL's error for an unknown option
        raise UsageError(f"in the pipeline '{pipeline}': {e}") from e


def for_release(release: str | None) -> list[str]:
    """Return the pass for a release of the runtime, if one is given. Raises `UsageError` for an
    unknown release."""
    return [] if release is None else [f"{ForRelease.name}{{release={known_release(release)}}}"]


def optimizing(release: str | None) -> tuple[str, ...]:
    """Return the passes of `-O`, with or without a release (see `for_release`)."""
    return FOR_OWN_RELEASE if release is None else OPTIMIZE


def known_release(name: str) -> str:
    """Return the release of this name. Raises `UsageError` with the known releases."""
    try:
        return check_release(name)
    except ValueError as e:
        raise UsageError(str(e)) from e


def quoted(name: str) -> str:
    """Return a name as the value of an option in a pipeline."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def limited(passes: Iterable[str], storage: str | None = None) -> list[str]:
    """Return passes with the limit on the growth of weights, for weights in this storage."""
    options = "" if storage in (None, DEFAULT_STORAGE) else f"{{storage={storage}}}"
    return [f"{LimitGrowth.name}{options}", *passes]


def storing(pipeline: str, storage: str | None = None) -> str:
    """Return a pipeline with the pass at its end that stores weights (see `storage_step`). Raises
    `UsageError` for a pipeline that cannot be read."""
    check_pipeline(pipeline, available_passes())
    steps = [pipeline] if pipeline else []
    return ",".join([*steps, *storage_step(steps, storage)])


def storage_step(steps: Sequence[Step], storage: str | None = None) -> list[str]:
    """Return the pass after these that stores weights as an option specifies. Without the option,
    it follows only passes that do not store weights themselves."""
    if storage is None and (not steps or any(map(_stores, steps))):
        return []
    return [f"{ConvertStorage.name}{{storage={storage or DEFAULT_STORAGE}}}"]


def _stores(step: Step) -> bool:
    if isinstance(step, str):
        return f"{ConvertStorage.name}{{" in step
    return isinstance(step, ConvertStorage)


def stopped_after(pipeline: str, name: str) -> str:
    """Return a pipeline up to and including a stage of `-O` or a pass. Raises `UsageError` for an
    unknown stage or pass."""
    specs, last = list(parse_pipeline(pipeline)), passes_of(name)[-1]
    places = [place for place, spec in enumerate(specs) if spec.name == last]
    if not places:
        known = [*(stage.name for stage in STAGES), *(spec.name for spec in specs)]
        raise UsageError(f"no stage or pass '{name}' to stop after" + nearest(name, known))
    return ",".join(map(str, specs[: places[-1] + 1]))


def run_pipeline(
    module: "ModuleOp",
    pipeline: str | Sequence[Step],
    path: str = "",
    *,
    observers: Sequence[Observer] = (),
    verification: Verification = "end",
    clock: Callable[[str | None], None] = lambda part: None,
) -> None:
    """Run a pipeline on a module that was read from `path`. Call `clock` with the name of each part
    of the work when it ends. Raises one of `USER_ERRORS`, and `PassError` for any other exception
    in a pass of another package."""
    from ..frontends.mlir.parsing import verify_ir

    running: ModulePass | None = None

    def callback(done: ModulePass | None, module: "ModuleOp", following: ModulePass | None) -> None:
        nonlocal running
        running = None
        clock(None if done is None else done.name)
        if verification == "each" or (verification == "end" and done and not following):
            verify_ir(module, path)
            clock("(verification)")
        for observe in observers:
            observe(done, module, following)
        if observers:
            clock("(reports)")
        running = following

    passes: list[ModulePass] = []
    for step in [pipeline] if isinstance(pipeline, str) else pipeline:
        passes += passes_in(step) if isinstance(step, str) else [step]
    # Our passes and canonicalize do not use the context's dialects; other passes may.
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
    """Whether a pass belongs to this package, or is `canonicalize`, which runs our patterns."""
    return type(step).__module__.startswith("ncnn_opt.") or step.name == "canonicalize"


def passes_in(pipeline: str) -> list[ModulePass]:
    """Return the passes of a pipeline that is given as text. Raises `UsageError`."""
    known = available_passes()
    check_pipeline(pipeline, known)
    return [known[spec.name]().from_pass_spec(spec) for spec in parse_pipeline(pipeline)]


def unknown_pass(name: str, passes: Passes) -> UsageError:
    """Return the error for an unknown pass, with the most similar names."""
    return UsageError(f"unknown pass '{name}'" + nearest(name, list(passes)))
