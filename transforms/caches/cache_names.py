"""The names of caches as inputs and outputs of a model."""

from typing import NamedTuple

DEFAULT = "cache_k#,cache_v#,out_cache_k#,out_cache_v#"
"""The names that ncnn's decoders of language models have, and that their runtimes expect."""

LAYER = "kv_cache"
"""The name of the Input layer of all caches."""


class CacheNames(NamedTuple):
    """The names of the caches of an attention layer."""

    past_key: str
    past_value: str
    key: str
    value: str

    def of(self, number: int) -> "CacheNames":
        """Return the names for the layer of this number."""
        return CacheNames(*(name.replace("#", str(number)) for name in self))


def parse_cache_names(text: str) -> CacheNames:
    """Parse four names with a `#` for the number of the layer. Raises `ValueError`."""
    names = tuple(text.split(","))
    if len(names) != 4 or any(name.count("#") != 1 for name in names) or len({*names}) != 4:
        raise ValueError(
            f"names are four different ones, for past keys and values and all keys and values, "
            f"each with one # for the number of the layer, as {DEFAULT}; not '{text}'"
        )
    return CacheNames(*names)
