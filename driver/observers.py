"""Reports between passes: remarks, IR dumps, equivalence in the runtime."""

import json
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from xdsl.passes import ModulePass

from ..transforms.rewriting.fold_limit import fold_limit
from ..transforms.rewriting.remarks import Remark, listening
from .pipelines import Observer

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Attribute

TOLERANCE = 1e-4
"""The default tolerance of `--verify-equivalence`, relative to an output's largest value."""

Listener = Callable[[Remark], None]
Tell = Callable[[str], None]


@dataclass(frozen=True)
class PassReports:
    """The reports that a user asks for."""

    remarks: Literal["text", "json"] | None = None
    time_passes: bool = False
    print_ir: Literal["all", "change"] | None = None
    """Whether the IR is printed after each pass, or after passes that change it."""
    trace: str | None = None
    """The file for a trace of the passes."""
    verify_equivalence: bool = False
    """Whether the model is compared with the original after each pass, in the ncnn runtime."""
    seed: int = 0
    samples: int = 1
    """The number of random inputs."""
    tolerance: float = TOLERANCE


@contextmanager
def observing(
    reports: PassReports, growth: int, tell: Tell, listener: Listener | None = None
) -> Generator[list[Observer]]:
    """Yield the observers of a pipeline that runs in the block, where a constant fold adds at most
    `growth` bytes to the weights. `listener` also receives each remark."""
    listeners = [] if listener is None else [listener]
    observers: list[Observer] = []
    if reports.print_ir is not None:
        observers.append(_ir_dump(tell, reports.print_ir == "change"))
    with ExitStack() as stack:
        stack.enter_context(fold_limit(growth))
        if reports.remarks is not None:
            listeners.append(_remark_printer(reports.remarks, tell))
        if listeners:
            stack.enter_context(listening(_broadcast(listeners)))
        if reports.verify_equivalence:
            from ..runtime.equivalence import EquivalenceCheck

            check = EquivalenceCheck(reports.seed, reports.samples, reports.tolerance)
            observers.append(stack.enter_context(check).observe)
            stack.callback(lambda: tell(table) if (table := check.table()) else None)
        yield observers


def _broadcast(listeners: Sequence[Listener]) -> Listener:
    def hear(remark: Remark) -> None:
        for each in listeners:
            each(remark)

    return hear


def _ir_dump(tell: Tell, only_changes: bool) -> Observer:
    """Return an observer that prints the IR as `mlir-opt --mlir-print-ir-after-all` or
    `--mlir-print-ir-after-change` does."""
    from ..targets.mlir.printing import large_constants, print_module
    from ..targets.options import MlirOptions, WeightStyle

    last: tuple[str, list[Attribute]] | None = None

    def observe(done: ModulePass | None, module: "ModuleOp", following: ModulePass | None) -> None:
        nonlocal last
        if done is None and not only_changes:
            return
        weights: list[Attribute] = [constant.value for constant in large_constants(module)]
        text = print_module(module.clone(), MlirOptions(WeightStyle.ELIDE))
        if done is not None and not (only_changes and last == (text, weights)):
            tell(f"// -----// IR Dump After {done.name} //----- //\n{text}")
        last = text, weights

    return observe


def _remark_printer(form: str, tell: Tell) -> Listener:
    def as_text(remark: Remark) -> None:
        tell(f"remark: {remark}")

    def as_json(remark: Remark) -> None:
        tell(json.dumps(remark.as_dict(), ensure_ascii=False))

    return as_json if form == "json" else as_text
