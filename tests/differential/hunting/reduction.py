"""The smallest model with the defect of a net that a hunt found."""

from collections.abc import Sequence
from pathlib import Path

from ncnn_opt.dialects.ncnn.weight_file import scratch_file
from ncnn_opt.driver.reducing.failures import Differs, PassCrashes
from ncnn_opt.driver.reducing.reducer import Reducer
from ncnn_opt.interpreters.errors import RunError

from ..compiler import load, passes_of, save

OTHER_DEFECTS = ("options", "unstable", "apart", "Hang")
"""The defects that no test of `ncnn-reduce` shows: of float16, of a second run, of two processes,
and a compilation that takes too long."""


def reduce_found(param: Path, what: str, passes: Sequence[str]) -> Path | None:
    """Reduce a net whose outputs differ after passes, or for which a pass fails, to
    `NAME.small.param`. Return that file; `None` if `ncnn-reduce` does not see the defect."""
    if what in OTHER_DEFECTS:
        return None
    steps = passes_of(passes)
    with scratch_file(), Differs(steps) if what == "values" else PassCrashes(steps) as test:
        try:
            reducer = Reducer(load(param), test, lambda text: None)
        except RunError:  # the model determines no shape for its inputs
            return None
        if reducer.failure is None:
            return None
        return save(reducer.reduce(), param.with_suffix(".small.param"))
