"""The pass that gives a decoder caches of keys and values."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from .cache_names import DEFAULT, parse_cache_names


@dataclass(frozen=True)
class AddKVCache(ModulePass):
    """Give the attention layers of a decoder caches of keys and values: inputs with the past ones,
    outputs with all of them. A call then computes only new steps.

    - Self-attention appends the keys and values of new steps to its cache. Its mask must be an
      input of the model, which the application makes causal, or a causal constant, which becomes
      the input `mask`. It has a row for each new step and a column for each past and new step.
    - Cross-attention uses keys and values of the first call. A MultiHeadAttention keeps them
      in its cache. An SDPA would append them, so that it gets no cache: it reads the keys and
      values from inputs, and what computed them becomes outputs, for a call of their own.
    - Constant tables of a RotaryEmbed become the inputs `cos` and `sin`: rows for the new steps.
    - The length of the sequence that the model was exported for becomes dynamic: Reshapes and
      Gemms.

    `names` are the names of the inputs and outputs, with `#` for the number of the layer. A model
    whose attention layers all have a cache stays as it is. The pass fails, with the layer, for a
    model that is not provably a decoder.
    """

    name = "add-kv-cache"
    names: str = DEFAULT

    def __post_init__(self) -> None:
        """Raises `ValueError` for invalid names."""
        parse_cache_names(self.names)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from ...dialects.ncnn.lookup import model_of
        from ..eliminate_split import EliminateSplit
        from .added_caches import add_caches

        EliminateSplit().apply(ctx, op)
        add_caches(model_of(op), parse_cache_names(self.names))
