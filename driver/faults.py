"""Faults of a model that is written: the runtime runs it, and computes something else."""

from collections.abc import Mapping

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..analysis.faults import Fault, faults, remedy
from ..analysis.input_shapes import with_likely_ranks
from ..analysis.shape_inference import infer
from ..dialects.ncnn.function import inputs_of
from ..dialects.ncnn.weight_specs import Shape

NAMED = 5
"""The number of faults that are named."""


def describe_faults(module: ModuleOp, shapes: Mapping[str, Shape] | None = None) -> list[str]:
    """Return a warning for each of the first faults that `--check` finds, and one for the number of
    others. `shapes` are shapes of inputs by name, which the model need not declare."""
    functions = [op for op in module.ops if isinstance(op, FuncOp)]
    found = [fault for func in functions for fault in _faults(func, shapes or {})]
    lines = [f"warning: {fault}; {remedy(fault)}" for fault in found[:NAMED]]
    more = len(found) - NAMED
    return lines if more <= 0 else [*lines, f"warning: {more} more layers have such faults"]


def _faults(func: FuncOp, shapes: Mapping[str, Shape]) -> list[Fault]:
    """Return the faults that are independent of dynamic extents."""
    if shapes:
        func = func.clone()
        args = inputs_of(func)
        infer(func, {args[name]: shape for name, shape in shapes.items() if name in args})
    if next(faults(with_likely_ranks(func)), None) is None:
        return []
    from ..runtime.trial_shapes import faults_in_run

    return faults_in_run(func)
