"""`--check`: lint, a run in the runtime, and the oldest release that runs the model."""

from xdsl.dialects.builtin import ModuleOp

from ..analysis.lint import lint
from ..analysis.target_info.releases import releases
from ..dialects.ncnn.lookup import model_of
from ..runtime.trial_run import check_model
from .messages import print_note, print_requested
from .releases import Releases, describe_oldest
from .requests import Request


def check(module: ModuleOp, path: str, request: Request, found: Releases) -> None:
    """Check a model, and print the result. Raises `RunError`."""

    def warn(text: str) -> None:
        print_note(f"ncnn-opt: warning: {text}")

    for each in lint(model_of(module)):
        warn(str(each))
    print_requested(f"ncnn-opt: {check_model(module, path, request.seed, warn)}")
    print_requested(f"ncnn-opt: {describe_oldest(found.after, releases()[0])}")
    if request.device is not None:
        from ..analysis.vulkan import placement
        from ..report.device import cpu_lines, summary_line

        placed = placement(model_of(module), request.for_ncnn or releases()[-1])
        for line in (summary_line(placed), *cpu_lines(placed)):
            print_requested(f"ncnn-opt: {line}")
