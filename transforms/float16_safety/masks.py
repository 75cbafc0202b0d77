"""The fewest feature masks with which a model stays within an error bound in float16.

1. Layers that overflow or lose accuracy by themselves get the first mask of `REMEDIES` with which
   they do not. The walk is in program order: if a blob exceeds float16, its reader breaks next, and
   runs on the CPU, too.
2. Masks without which the outputs are within the bound are removed.
3. If the outputs are not within the bound, the masks are chosen anew: see `minimal_masks.py`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.float16.emulation import DEVICES, NO_FLOAT16_ARITHMETIC
from ...analysis.float16.gpu_layers import uses_winograd
from ...analysis.float16.half_array import Array
from ...analysis.float16.winograd import NO_WINOGRAD
from ...analysis.vulkan import NO_VULKAN
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.lookup import layers_of
from ...dialects.ncnn.reshaping import PermuteOp
from ...dialects.ncnn.structure import SplitOp
from .float16_errors import Float16Evaluator
from .minimal_masks import Selection
from .roundings import roundings_of

ON_CPU = NO_VULKAN | NO_FLOAT16_ARITHMETIC
"""The mask of a layer that must have float32 blobs beside a GPU. (For arm see
`float32_on_arm.py`.)"""

ROOM = 1.25
"""The emulated error must be smaller than the bound by this factor."""

BACKOFF = 32
"""If it is not, one of so many layers without a mask gets one, until it is."""

MOST_REMOVALS = 64
"""The largest number of masks that are tried without."""


@dataclass
class Masked:
    """The layers that got a mask."""

    before: dict[LayerOp, int] = field(default_factory=dict[LayerOp, int])
    """Their masks before."""
    splits: list[SplitOp] = field(default_factory=list[SplitOp])
    """The Splits that were inserted for blobs that exceed float16."""
    copies: list[PermuteOp] = field(default_factory=list[PermuteOp])
    """The Permutes that were inserted to write float32."""

    def set(self, op: LayerOp, bits: int) -> None:
        """Add bits to the mask of a layer."""
        self.before.setdefault(op, op.featmask)
        op.featmask = op.featmask | bits

    def undo(self) -> None:
        """Restore the masks of all layers, and remove the layers that were inserted."""
        for op, bits in self.before.items():
            op.featmask = bits
        for copy in (*self.splits, *self.copies):
            remove_copy(copy)
        self.before, self.splits, self.copies = {}, [], []


def remedies(op: LayerOp, operands: Sequence[Array]) -> Iterable[int]:
    """Yield the masks for a layer that breaks, the cheapest first."""
    yield NO_FLOAT16_ARITHMETIC
    if uses_winograd(op, operands):
        yield NO_WINOGRAD
        yield NO_WINOGRAD | NO_FLOAT16_ARITHMETIC
    yield ON_CPU


def mask_broken(evaluator: Float16Evaluator, masked: Masked) -> None:
    """Set the masks of layers that break by themselves, for all samples."""
    evaluator.visit_broken(partial(_repair, evaluator, masked))
    for op in [op for op in masked.before if op.featmask & NO_VULKAN]:
        masked.splits += split_on_cpu(op)


def _repair(
    evaluator: Float16Evaluator, masked: Masked, op: LayerOp, operands: Sequence[Array]
) -> None:
    before = op.featmask
    for bits in remedies(op, operands):
        op.featmask = before | bits
        if not evaluator.is_broken(op, operands):
            break
    found = op.featmask
    op.featmask = before
    masked.set(op, found)


def split_on_cpu(op: LayerOp, bits: int = ON_CPU) -> list[SplitOp]:
    """Insert a Split with this mask after each result of a layer with several readers. The writer
    of files would insert one that runs on the GPU."""
    made = [split for result in op.results for split in _split(result)]
    for split in made:
        split.featmask = bits
    return made


def split_shared(func: FuncOp) -> list[SplitOp]:
    """Insert the Splits that the writer of files would insert, so that they may get masks."""
    blobs: list[SSAValue] = [*func.body.block.args]
    for op in layers_of(func):
        blobs += op.results if not isinstance(op, ConstantOp) else ()
    return [split for blob in blobs for split in _split(blob)]


def _split(blob: SSAValue) -> list[SplitOp]:
    """Insert a Split of a blob if it has several readers and no Split."""
    uses = list(blob.uses)
    if len(uses) < 2 or any(isinstance(use.operation, SplitOp) for use in uses):
        return []
    split = SplitOp.make([blob], {}, [blob.type] * len(uses), {})
    owner = blob.owner
    Rewriter.insert_op(
        split, InsertPoint.at_start(owner) if isinstance(owner, Block) else InsertPoint.after(owner)
    )
    for use, copy in zip(uses, split.results, strict=True):
        use.operation.operands[use.index] = copy
    return [split]


def remove_copy(copy: SplitOp | PermuteOp) -> None:
    """Remove a layer that copies its operand: its readers read this."""
    for result in copy.results:
        result.replace_all_uses_with(copy.operands[0])
    Rewriter.erase_op(copy)


def mask_inaccurate(
    evaluator: Float16Evaluator, masked: Masked, bound: float, beside_gpu: bool = True
) -> float:
    """Set the fewest masks with which the outputs are within the bound on a device whose roundings
    have any signs. Return the emulated error. If float16 storage alone exceeds the bound, the
    layers run on the CPU `beside_gpu`; otherwise float32 arithmetic is enough."""
    splits = split_shared(evaluator.func) if beside_gpu else []
    roundings = roundings_of(evaluator, bound)
    choices = float16_layers(evaluator)
    stored = with_float32_arithmetic(evaluator)
    on_cpu = beside_gpu and (
        Selection(roundings, choices, False).error([]) > bound or stored.error() > bound
    )
    kept = Selection(roundings, choices, on_cpu).unmasked(bound)
    bits = ON_CPU if on_cpu else NO_FLOAT16_ARITHMETIC
    unmasked = {*kept}
    for op in choices:
        if op not in unmasked and op.featmask & bits != bits:
            masked.set(op, bits)
    while (error := max(evaluator.error(), stored.error())) > bound / ROOM and kept:
        for op in kept[-max(len(kept) // BACKOFF, 1) :]:
            kept.remove(op)
            masked.set(op, bits)
    for split in splits:
        if split not in masked.before:
            remove_copy(split)
    return error


def with_float32_arithmetic(evaluator: Float16Evaluator) -> Float16Evaluator:
    """Return the evaluator of a device that only stores float16."""
    return replace(evaluator, setting=replace(evaluator.setting, arithmetic=False))


def float16_layers(evaluator: Float16Evaluator) -> list[LayerOp]:
    """Return the layers that read and write float16."""
    stores = DEVICES[evaluator.setting.device].stores_float16
    return [op for op in layers_of(evaluator.func) if op.operands and stores(op)]


def remove_needless(evaluator: Float16Evaluator, masked: Masked, bound: float) -> float:
    """Remove masks, or bits of them, without which the outputs are within the bound. Return the
    error."""
    error = evaluator.error()
    for op in list(masked.before)[:MOST_REMOVALS]:
        before, found = masked.before[op], op.featmask
        for bits in (before, before | NO_FLOAT16_ARITHMETIC):
            if bits == found:
                break
            op.featmask = bits
            if (less := evaluator.error()) <= bound:
                error = less
                if bits == before:
                    del masked.before[op]
                break
            op.featmask = found
    return error
