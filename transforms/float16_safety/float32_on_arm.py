"""Feature masks for layers on arm: for those that break by themselves, and, where none does, for
the fewest whose roundings together exceed the bound.

Where float32 arithmetic is not enough, a layer gets float32 storage: weights and intermediate blobs
are float32 as well, if its inputs are. A Permute has no code for float16 blobs on arm, so it writes
float32: a Permute that keeps the order of the axes is put before each input. The layer runs on the
CPU, where the bit against float16 storage is right beside a GPU, too. If a result exceeds float16,
its reader breaks next, and gets float32 storage as well.
"""

from collections.abc import Sequence

from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.float16.emulation import NO_FLOAT16_ARITHMETIC
from ...analysis.float16.half_array import Array
from ...analysis.float16.operands import is_quantized
from ...analysis.float16.winograd import NO_WINOGRAD
from ...analysis.float32_storage import FLOAT32_STORAGE, has_float32_storage
from ...analysis.vulkan import NO_VULKAN
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.reshaping import PermuteOp
from .float16_errors import Float16Evaluator
from .masks import (
    ON_CPU,
    Masked,
    mask_inaccurate,
    remove_copy,
    split_on_cpu,
    with_float32_arithmetic,
)

IN_FLOAT32 = ON_CPU | FLOAT32_STORAGE
"""The mask of a layer with float32 blobs on arm, and on the CPU beside a GPU."""

WITHOUT_WINOGRAD = (NO_WINOGRAD, NO_WINOGRAD | NO_FLOAT16_ARITHMETIC)

ROUNDS = 8
"""The number of times that layers which break are looked for: a Split keeps a blob that exceeds
float16 from the readers, until it gets a mask."""


def mask_broken_on_arm(arm: Float16Evaluator) -> Masked:
    """Set the masks of layers that break by themselves on arm. Return the changes."""
    masked, known = Masked(), dict[LayerOp, int]()
    for _ in range(ROUNDS):
        arm.visit_broken(lambda op, given: _repair(arm, masked, op, given))
        for op in filter(has_float32_storage, masked.before):
            masked.splits += split_on_cpu(op, IN_FLOAT32)
        bits = {op: op.featmask for op in masked.before}
        if bits == known:
            break
        known = bits
    return masked


def mask_inaccurate_on_arm(arm: Float16Evaluator, bound: float) -> Masked:
    """Set the fewest masks for float32 arithmetic with which the outputs are within the bound on
    arm, where no layer alone breaks. Return the changes: none where float16 storage exceeds the
    bound by itself."""
    masked = Masked()
    if with_float32_arithmetic(arm).error() <= bound:
        mask_inaccurate(arm, masked, bound, beside_gpu=False)
        if arm.error() > bound:
            masked.undo()
    return masked


def _repair(arm: Float16Evaluator, masked: Masked, op: LayerOp, operands: Sequence[Array]) -> None:
    """Set the first mask with which a layer does not break for these operands, if there is one."""
    if is_quantized(op) or getattr(op, "kv_cache", 0):
        return  # integers have storage of their own; a cache may be empty, and a Permute reads none
    for bits in (NO_FLOAT16_ARITHMETIC, *WITHOUT_WINOGRAD):
        if _helps(arm, op, operands, bits):
            masked.set(op, bits)
            return
    copies = _copies(op)
    if _helps(arm, op, operands, IN_FLOAT32):
        masked.set(op, IN_FLOAT32)
        masked.copies += copies
    else:
        for copy in copies:
            remove_copy(copy)


def _helps(arm: Float16Evaluator, op: LayerOp, operands: Sequence[Array], bits: int) -> bool:
    """Whether a layer does not break with these bits in its mask."""
    before = op.featmask
    op.featmask = before | bits
    helps = not arm.is_broken(op, operands)
    op.featmask = before
    return helps


def _copies(op: LayerOp) -> list[PermuteOp]:
    """Insert Permutes that write float32 blobs for a layer. A blob of a layer with float32 storage
    and no other readers needs none; an input of the model gets one, since a rewrite may give it
    other readers, and then it has a Split."""
    made: list[PermuteOp] = []
    for place, blob in enumerate(op.data_operands()):
        writer = blob.owner
        if has_float32_storage(writer) and blob.has_one_use():
            continue
        copy = PermuteOp.make([blob], {}, [blob.type], {})
        copy.featmask = NO_VULKAN
        Rewriter.insert_op(copy, InsertPoint.before(op))
        op.operands[place] = copy.results[0]
        made.append(copy)
    return made
