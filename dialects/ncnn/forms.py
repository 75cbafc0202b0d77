"""Shapes in terms of another blob's: what a layer that only reshapes makes of its input, whatever
that is.

The extents of a form are numbers, axes of the source (`"w"` is its extent along w), and at most one
`REST`: as many as are left of the source's elements. So a chain of reshapes is one form, and no
numbers are needed to tell whether it leaves a blob as it is.
"""

from collections.abc import Sequence
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX

from .extents import AXES
from .slots import Shape

REST = "rest"
"""What is left of the elements."""

Extent = int | str
"""A number, an axis of the source, or `REST`."""

Form = tuple[Extent, ...]
"""The extents of a blob, outermost first."""


def own_form(shape: Shape) -> Form:
    """A blob in terms of itself: its axes, numbers where they are known."""
    return tuple(
        axis if n == DYNAMIC_INDEX else n for axis, n in zip(AXES[len(shape)], shape, strict=True)
    )


def stated(extents: Sequence[int]) -> Form | None:
    """What a Reshape says: 0 is the extent of the same axis, -1 what is left; `None` for anything
    else that is no extent."""
    if not extents or any(n < -1 for n in extents) or list(extents).count(-1) > 1:
        return None
    axes = AXES[len(extents)]
    return tuple(n if n > 0 else REST if n else axis for axis, n in zip(axes, extents, strict=True))


def composed(outer: Form, inner: Form) -> Form | None:
    """The form of a reshape of a reshape in terms of the first one's source; `None` if no form
    says it."""
    between = dict(zip(AXES[len(inner)], inner, strict=True))
    form = [between.get(n, 1) if isinstance(n, str) and n != REST else n for n in outer]
    return tuple(form) if form.count(REST) < 2 else None


def resolved(form: Form, source: Shape) -> Form:
    """A form with numbers for the extents of the source that are known, 1 for axes that it does not
    have, and what `REST` is where that follows."""
    own = dict(zip(AXES[len(source)], own_form(source), strict=True))
    extents = [own.get(n, 1) if isinstance(n, str) and n != REST else n for n in form]
    if REST not in extents:
        return tuple(extents)
    left = list(own.values())
    others = 1
    for n in extents:
        if isinstance(n, int):
            others *= n
        elif n in left:
            left.remove(n)
        elif n != REST:
            return tuple(extents)  # the same axis twice
    unknown = [n for n in left if isinstance(n, str)]
    number, remainder = divmod(prod(n for n in left if isinstance(n, int)), others)
    if remainder or number == 0 or len(unknown) > (number == 1):
        return tuple(extents)
    extents[extents.index(REST)] = unknown[0] if unknown else number
    return tuple(extents)


def as_params(form: Form, source_rank: int | None) -> dict[str, int] | None:
    """The parameters of a Reshape that makes this form of a source of so many dims (`None`:
    unknown); `None` if they cannot say it: 0 is the source's extent along the same axis, and -1,
    what is left, may stand once."""
    params: dict[str, int] = {}
    for axis, n in zip(AXES[len(form)], form, strict=True):
        # Where 4-D blobs become 3-D, the runtime may take the extent of packed channels.
        copies = n == axis and (axis != "c" or len(form) > 3 or source_rank in (1, 2, 3))
        params[axis] = n if isinstance(n, int) else 0 if copies else -1
    return params if list(params.values()).count(-1) < 2 else None
