"""What there is to work with: the dialects, passes and targets of xDSL, ours, and those that other
packages bring along."""

from functools import cache

from xdsl.context import Context
from xdsl.universe import Universe


@cache
def universe() -> Universe:
    """All of them by name, imported when they are asked for."""
    return Universe.get_multiverse()


def make_context() -> Context:
    """A context that knows all dialects of this environment."""
    context = Context()
    for name, dialect in universe().all_dialects.items():
        context.register_dialect(name, dialect)
    return context
