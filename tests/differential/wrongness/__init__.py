"""Small models in which an optimizer goes wrong that takes less into account than the runtime does:
each kind is something that ncnn's own ncnnoptimize does not look at.

What such a model must become is nowhere said: only that it computes what it computed."""

from collections.abc import Mapping

from .contents import CONTENTS
from .layers import Build
from .rewrites import REWRITES

KINDS: Mapping[str, Mapping[str, Build]] = {**REWRITES, **CONTENTS}
"""Models by what goes wrong with them."""

__all__ = ["KINDS", "Build"]
