"""Pipelines of passes as text, and what can be wrong with one."""

from collections.abc import Callable, Mapping

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass, PassPipeline
from xdsl.utils.arg_spec import parse_pipeline
from xdsl.utils.exceptions import ArgSpecParseError

from ..transforms.naming import nearest
from .environment import make_context, universe
from .errors import UsageError

Passes = Mapping[str, Callable[[], type[ModulePass]]]
"""Passes by name, imported when they are asked for."""


def available_passes() -> dict[str, Callable[[], type[ModulePass]]]:
    """All passes of this environment by name; for one of xDSL's own that must know about layers,
    ours of the same name."""

    def load_apply_pdl() -> type[ModulePass]:
        from ..transforms.apply_pdl import ApplyPDL

        return ApplyPDL

    return {**universe().all_passes, "apply-pdl": load_apply_pdl}


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


def run_pipeline(module: ModuleOp, pipeline: str) -> None:
    """Runs a pipeline on a module, which must verify before and after. Raises one of
    `USER_ERRORS`."""
    passes = available_passes()
    check_pipeline(pipeline, passes)
    module.verify()
    PassPipeline.parse_spec(passes, pipeline).apply(make_context(), module)
    module.verify()


def unknown_pass(name: str, passes: Passes) -> UsageError:
    """The error for a pass that does not exist, with the nearest one that does."""
    return UsageError(f"unknown pass '{name}'" + nearest(name, list(passes)))
