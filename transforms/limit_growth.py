"""The pass that limits the growth of a model's weights."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from .storage.convert_storage import check_storage

DEFAULT_PERCENT = 1.0


@dataclass(frozen=True)
class LimitGrowth(ModulePass):
    """Allow later rewrites to make the weights at most `percent` percent larger in total. All
    additional bytes count: folded constants, new biases, channels of zeros, float16 weights that
    become float32. A rewrite that would exceed the limit is not done. A rewrite that makes weights
    smaller leaves room for others.

    `storage` is the option of the later `convert-storage`. With `keep`, a weight that a pass
    computes from a float16 weight becomes float32, with twice the bytes, if float16 would round it.
    With `original` it becomes float16 again, unless float16 represents it worse than the weight
    before. With `fp16` and `fp32` all weights get the same type in the end, so this growth does not
    count.

    In a model with float16 weights, existing float32 weights with a tag already count as growth,
    unless they exceed the limit: a second run does not widen weights that the first run left alone.

    The pass stores the limit in an attribute of the module. `convert-storage` removes it.
    """

    name = "limit-growth"
    percent: int | float = DEFAULT_PERCENT
    storage: str = "keep"

    def __post_init__(self) -> None:
        """Raise `ValueError` for an invalid option."""
        check_storage(self.storage)
        if not 0 <= self.percent < float("inf"):
            raise ValueError(f"percent must be a number of at least 0, not {self.percent}")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from .rewriting.growth import set_limit

        set_limit(op, self.percent, self.storage)
