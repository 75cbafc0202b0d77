"""`--print-ir-after…` and `--print-to-dir`: the IR between passes."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.passes import ModulePass

from ...targets.atomic_files import write_file
from ...targets.mlir.ir_printer import large_constants, print_module
from ...targets.options import MlirOptions, WeightStyle
from ..requests import Request
from .run_observer import RunObserver

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Attribute


class IRDump(RunObserver):
    """Prints the IR as `mlir-opt --mlir-print-ir-after-all`, `--mlir-print-ir-after-change` or
    `--mlir-print-ir-after` does, or writes it to files as `--mlir-print-ir-tree-dir` does."""

    def __init__(self, request: Request, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._folder, self._named = request.print_to_dir, {*request.print_after}
        only_changes = request.print_after_change
        self._everywhere = request.print_between_passes or not (self._named or only_changes)
        self._only_changes = only_changes and not request.print_between_passes
        self._last: tuple[str, list[Attribute]] | None = None
        self._count = 0

    def between_passes(
        self, done: ModulePass | None, module: "ModuleOp", following: ModulePass | None
    ) -> None:
        """Print the IR after `done`, if the request asks for it."""
        wanted = done is not None and (self._everywhere or done.name in self._named)
        self._count += done is not None
        if not (wanted or self._only_changes):
            return
        weights = [constant.value for constant in large_constants(module)]
        text = print_module(module, MlirOptions(WeightStyle.ELIDE))
        wanted |= done is not None and self._only_changes and self._last != (text, weights)
        if done is not None and wanted and self._folder is not None:
            os.makedirs(self._folder, exist_ok=True)
            path = os.path.join(self._folder, f"{self._count - 1}_{done.name}.mlir")
            write_file(path, f"{text}\n")
        elif done is not None and wanted:
            self._tell(f"// -----// IR Dump After {done.name} //----- //\n{text}")
        self._last = text, weights
