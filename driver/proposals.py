"""Options that `-O` proposes for a model.

`-O` does not apply them itself: they are right only for some applications.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..dialects.ncnn.layer import LayerOp
from ..dialects.shapes.analysis import Shapes

if TYPE_CHECKING:
    from ..dialects.ncnn.attention import SDPAOp

OPTION = "--opaque-caches"


def describe_shareable_caches(module: ModuleOp) -> list[str]:
    """Return a line about the caches that `--opaque-caches` would make smaller."""
    layers = (op for func in module.ops if isinstance(func, FuncOp) for op in func.walk())
    found = (op for op in layers if isinstance(op, LayerOp) and op.LAYER_TYPE == "SDPA")
    cached = [op for op in cast("Iterator[SDPAOp]", found) if op.kv_cache]
    if not cached:
        return []
    from ..transforms.canonicalization.grouped_query_attention import shared_heads

    shapes = Shapes()
    shared = [each for op in cached if (each := shared_heads(op, shapes, opaque_caches=True))]
    if not shared:
        return []
    which = "1 SDPA has" if len(shared) == 1 else f"{len(shared)} SDPAs have"
    heads = {(each.heads, each.key.times) for each in shared}
    (few, times), *others = heads
    known = not others and isinstance(few, int) and isinstance(times, int)
    how = f"{few * times} heads instead of {few}" if known else "each head several times"
    return [
        f"{which} a cache with {how}: {OPTION} makes it smaller and decoding faster, if the "
        "application passes caches on as they are (docs/decoders.md)"
    ]
