"""Reports between passes: remarks, IR dumps, equivalence in the runtime."""

import json
import os
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from xdsl.passes import ModulePass

from ..targets.files import write_file
from ..transforms.rewriting.fold_limit import fold_limit
from ..transforms.rewriting.remarks import Remark, listening
from ..transforms.rewriting.rewrite_budget import RewriteCounter
from .pipelines import Observer
from .requests import Request

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Attribute

Listener = Callable[[Remark], None]
Tell = Callable[[str], None]


@contextmanager
def observing(
    request: Request,
    tell: Tell,
    listener: Listener | None = None,
    counter: RewriteCounter | None = None,
) -> Generator[list[Observer]]:
    """Yield the observers of a pipeline that runs in the block, with the limit on constant folds.
    `listener` also receives each remark; `counter` counts the rewrites of the pipeline."""
    observers: list[Observer] = []
    if request.prints_ir():
        observers.append(_ir_dump(tell, request))

    def on_remark(remark: Remark) -> None:
        if listener is not None:
            listener(remark)
        if request.remarks == "json":
            tell(json.dumps(remark.as_dict(), ensure_ascii=False))
        elif request.remarks is not None:
            tell(f"remark: {remark}")

    with ExitStack() as stack:
        stack.enter_context(fold_limit(request.fold_limit))
        if listener is not None or request.remarks is not None:
            stack.enter_context(listening(on_remark))
        if request.verify_equivalence:
            from ..runtime.equivalence import EquivalenceCheck

            check = EquivalenceCheck(request.seed, request.samples, request.tolerance)
            observers.append(stack.enter_context(check).observe)
            stack.callback(lambda: tell(table) if (table := check.table()) else None)
        if counter is not None and request.print_after_rewrite:
            from .rewrite_reports import RewriteDump

            dump = RewriteDump(request.print_after_rewrite, counter, tell)
            observers.append(dump.observe)
            stack.callback(dump.close)
        if counter is not None and request.statistics:
            from .rewrite_reports import Statistics

            statistics = Statistics(counter)
            observers.append(statistics.observe)
            stack.callback(lambda: tell(statistics.table()))
        yield observers


def _ir_dump(tell: Tell, request: Request) -> Observer:
    """Return an observer that prints the IR as `mlir-opt --mlir-print-ir-after-all`,
    `--mlir-print-ir-after-change` or `--mlir-print-ir-after` does, or writes it to files as
    `--mlir-print-ir-tree-dir` does."""
    from ..targets.mlir.printing import large_constants, print_module
    from ..targets.options import MlirOptions, WeightStyle

    folder, named = request.print_to_dir, {*request.print_after}
    everywhere = request.print_between_passes or not (named or request.print_after_change)
    only_changes = request.print_after_change and not request.print_between_passes
    last: tuple[str, list[Attribute]] | None = None
    count = 0

    def observe(done: ModulePass | None, module: "ModuleOp", following: ModulePass | None) -> None:
        nonlocal last, count
        wanted = done is not None and (everywhere or done.name in named)
        count += done is not None
        if not (wanted or only_changes):
            return
        weights: list[Attribute] = [constant.value for constant in large_constants(module)]
        text = print_module(module, MlirOptions(WeightStyle.ELIDE))
        wanted |= done is not None and only_changes and last != (text, weights)
        if done is not None and wanted and folder is not None:
            os.makedirs(folder, exist_ok=True)
            write_file(os.path.join(folder, f"{count - 1}_{done.name}.mlir"), f"{text}\n")
        elif done is not None and wanted:
            tell(f"// -----// IR Dump After {done.name} //----- //\n{text}")
        last = text, weights

    return observe
