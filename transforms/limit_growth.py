"""A limit on how much larger the weights of a model become, as a pass."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from .storage.convert_storage import check_storage

DEFAULT_PERCENT = 1.0


@dataclass(frozen=True)
class LimitGrowth(ModulePass):
    """Let the rewrites that follow make the weights at most `percent` percent larger in all.
    Whatever adds to them counts: constants that are computed, biases that were not there, channels
    of zeros, float16 weights that become float32. A rewrite that would exceed the limit is not
    done. Where a rewrite makes weights smaller, that leaves room for others.

    `storage` is the option of the `convert-storage` that follows. With `keep`, a weight that is
    made of a float16 weight and that float16 would round becomes float32, and takes twice the
    bytes. With `original` it is float16 again, unless float16 holds it worse than the weight
    before. With `fp16` and `fp32` all weights are stored alike in the end: this growth does not
    count.

    Of a model with float16 weights, the weights that are float32 behind a tag count as growth
    already, unless they exceed the limit: a second run does not widen weights that the first run
    did not.

    The module has the limit as an attribute. `convert-storage` removes it.
    """

    name = "limit-growth"
    percent: int | float = DEFAULT_PERCENT
    storage: str = "keep"

    def __post_init__(self) -> None:
        """Raises `ValueError` for an option that cannot be meant."""
        check_storage(self.storage)
        if not 0 <= self.percent < float("inf"):
            raise ValueError(f"percent is a number of at least 0, not {self.percent}")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from .rewriting.growth import set_limit

        set_limit(op, self.percent, self.storage)
