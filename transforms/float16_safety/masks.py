"""The fewest feature masks with which a model stays within an error bound in float16.

1. Layers that overflow or lose accuracy by themselves get the first mask of `REMEDIES` with which
   they do not. The walk is in program order: if a blob exceeds float16, its reader breaks next, and
   runs on the CPU, too.
2. While the outputs are not within the bound, the layers with the largest effect on the outputs get
   masks. The effect of a layer is the error of the outputs if it alone computes in float16.
3. Masks without which the outputs are within the bound are removed.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.float16.emulation import NO_FLOAT16_ARITHMETIC, Setting, computed, walk
from ...analysis.float16.gpu_layers import uses_winograd
from ...analysis.float16.half_array import Array
from ...analysis.float16.winograd import NO_WINOGRAD
from ...analysis.vulkan import NO_VULKAN, cpu_reason
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.structure import SplitOp
from .evaluation import Evaluator, exactly

ON_CPU = NO_VULKAN | NO_FLOAT16_ARITHMETIC
"""The mask of a layer that must have float32 blobs. (The bit against float16 storage is of no use:
with it, a layer misreads the float16 blobs of the layers before it.)"""

MOST_REMOVALS = 64
"""The largest number of masks that are tried without."""


@dataclass
class Masked:
    """The layers that got a mask."""

    before: dict[LayerOp, int] = field(default_factory=dict[LayerOp, int])
    """Their masks before."""
    splits: list[SplitOp] = field(default_factory=list[SplitOp])
    """The Splits that were inserted for blobs that exceed float16."""

    def set(self, op: LayerOp, bits: int) -> None:
        """Add bits to the mask of a layer."""
        self.before.setdefault(op, op.featmask)
        set_featmask(op, op.featmask | bits)

    def reset(self, op: LayerOp) -> None:
        """Restore the mask of a layer."""
        set_featmask(op, self.before.pop(op))


def set_featmask(op: LayerOp, bits: int) -> None:
    """Set the feature mask of a layer."""
    op.set_params(featmask=bits)


def remedies(op: LayerOp, operands: Sequence[Array]) -> Iterable[int]:
    """Yield the masks for a layer that breaks, the cheapest first."""
    yield NO_FLOAT16_ARITHMETIC
    if uses_winograd(op, operands):
        yield NO_WINOGRAD
        yield NO_WINOGRAD | NO_FLOAT16_ARITHMETIC
    yield ON_CPU


def mask_broken(evaluator: Evaluator, masked: Masked) -> None:
    """Set the masks of layers that break by themselves, for all samples."""
    for inputs in evaluator.samples:

        def compute(op: LayerOp, operands: Sequence[Array], setting: Setting) -> Any:
            if cpu_reason(op) is None and evaluator.is_broken(op, operands):
                _repair(evaluator, masked, op, operands)
            return computed(op, operands, setting)

        for _ in walk(evaluator.func, inputs, evaluator.setting, compute):
            pass
    for op in [op for op in masked.before if op.featmask & NO_VULKAN]:
        masked.splits += split_on_cpu(op)


def _repair(evaluator: Evaluator, masked: Masked, op: LayerOp, operands: Sequence[Array]) -> None:
    before = op.featmask
    for bits in remedies(op, operands):
        set_featmask(op, before | bits)
        if not evaluator.is_broken(op, operands):
            break
    found = op.featmask
    set_featmask(op, before)
    masked.set(op, found)


def split_on_cpu(op: LayerOp) -> list[SplitOp]:
    """Insert a Split that runs on the CPU after each result of a layer with several readers. The
    writer of files would insert one that runs on the GPU."""
    made: list[SplitOp] = []
    for result in op.results:
        uses = list(result.uses)
        if len(uses) < 2 or any(isinstance(use.operation, SplitOp) for use in uses):
            continue
        types = [result.type] * len(uses)
        split = cast(SplitOp, SplitOp.make([result], {}, types, {}))
        set_featmask(split, ON_CPU)
        Rewriter.insert_op(split, InsertPoint.after(op))
        for use, copy in zip(uses, split.results, strict=True):
            use.operation.operands[use.index] = copy
        made.append(split)
    return made


def effects(evaluator: Evaluator, choices: Sequence[LayerOp]) -> Mapping[LayerOp, float]:
    """Return, for each layer, the error of the outputs if it alone computes in float16."""

    def alone(chosen: LayerOp) -> Callable[..., Any]:
        def compute(op: LayerOp, operands: Sequence[Array]) -> Any:
            return evaluator.half(op, operands) if op is chosen else exactly(op, operands)

        return compute

    return {op: evaluator.error_with(alone(op)) for op in choices}


def mask_inaccurate(evaluator: Evaluator, masked: Masked, bound: float) -> None:
    """Set masks until the outputs are within the bound. If float16 storage alone exceeds it, layers
    must run on the CPU; otherwise float32 arithmetic is enough."""
    if evaluator.error() <= bound:
        return
    arithmetic = replace(evaluator.setting, arithmetic=False)
    stored = replace(evaluator, setting=arithmetic).error()
    bits = NO_FLOAT16_ARITHMETIC if stored <= bound else ON_CPU
    choices = [op for op in gpu_layers(evaluator) if op.featmask & bits != bits]
    found = effects(evaluator, choices)
    order = sorted((op for op in choices if found[op] > 0), key=lambda op: -found[op])
    _mask_first(evaluator, masked, order, bits, bound)


def gpu_layers(evaluator: Evaluator) -> Iterable[LayerOp]:
    """Yield the layers that run on the GPU."""
    for op in evaluator.func.body.block.ops:
        if isinstance(op, LayerOp) and op.operands and cpu_reason(op) is None:
            yield op


def _mask_first(
    evaluator: Evaluator, masked: Masked, order: Sequence[LayerOp], bits: int, bound: float
) -> None:
    """Set bits on the shortest prefix of layers that is enough, by bisection."""
    originals = {op: op.featmask for op in order}

    def error_with(count: int) -> float:
        for i, op in enumerate(order):
            set_featmask(op, originals[op] | (bits if i < count else 0))
        return evaluator.error()

    low, high = 0, len(order)
    while high - low > 1:
        middle = (low + high) // 2
        if error_with(middle) <= bound:
            high = middle
        else:
            low = middle
    for op in order:
        set_featmask(op, originals[op])
    for op in order[:high]:
        masked.set(op, bits)


def remove_needless(evaluator: Evaluator, masked: Masked, bound: float) -> float:
    """Remove masks, or bits of them, without which the outputs are within the bound. Return the
    error."""
    error = evaluator.error()
    for op in list(masked.before)[:MOST_REMOVALS]:
        before, found = masked.before[op], op.featmask
        for bits in (before, before | NO_FLOAT16_ARITHMETIC):
            if bits == found:
                break
            set_featmask(op, bits)
            if (less := evaluator.error()) <= bound:
                error = less
                if bits == before:
                    del masked.before[op]
                break
            set_featmask(op, found)
    return error
