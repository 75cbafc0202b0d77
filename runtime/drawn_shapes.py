"""Shapes of random values for the inputs of a model in the runtime."""

from xdsl.ir import SSAValue

from ..analysis.random_inputs import cache_of
from ..dialects.ncnn.blob import static_shape_of
from ..dialects.ncnn.weight_specs import Shape

BLOCK = 64
"""A multiple of the number of steps that each processor's code packs together in a cache."""


def drawn_shape(value: SSAValue) -> tuple[Shape | None, int | None]:
    """Return the shape of an input's random values, and the number of past steps if it is a cache
    of keys or values.

    A cache has room for later steps: the runtime packs a cache in whole blocks of steps, and would
    read and write past the end of a blob that only has the past steps
    (src/layer/x86/sdpa_kvcache.h). Any values are valid keys in that format.
    """
    cache = cache_of(value)
    if cache is None:
        return static_shape_of(value), None
    room = -(-(cache.steps + cache.new_steps) // BLOCK) * BLOCK
    return (cache.heads, room, cache.features), cache.steps
