"""Contracts of layers that read several blobs, or a blob of one rank only: shapes with variables.

The runtime does not check them. `c,h,w` is a 3-D blob; a repeated variable stands for one extent; a
number stands for itself; `|` separates alternatives.
"""

from collections.abc import Iterator, Mapping, Sequence

from ...dialects.ncnn.weight_specs import Shape

CONTRACTS: Mapping[str, Sequence[str]] = {
    "DeformableConv2D": ("c,h,w", "o,y,x", "m,y,x"),
    "Fold": ("r,p",),
    "GLU": ("a|a,b|a,b,c",),
    "InverseSpectrogram": ("f,t,2",),
    "Proposal": ("18,h,w", "36,h,w", "i|1,i|1,1,i"),
    "PSROIPooling": ("c,h,w", "b|a,b|a,b,c"),
    "ROIAlign": ("c,h,w", "b|a,b|a,b,c"),
    "ROIPooling": ("c,h,w", "b|a,b|a,b,c"),
    "RotaryEmbed": ("c,s,e", "s,x", "s,x"),
    "SDPA": ("h,s,e", "g,n,e", "g,n,f"),
    "Spectrogram": ("n",),
}
"""The contracts of inputs by layer type, as far as shapes alone express them."""

Binding = dict[str, int]
"""The extents of variables."""


def bind(contract: Sequence[str], shapes: Sequence[Shape]) -> Binding | None:
    """Return the extents of the variables, or `None` if the shapes violate the contract. Inputs
    beyond the contract are free, and so is a pattern without an input."""
    return next(_bindings(list(zip(contract, shapes, strict=False)), {}), None)


def _bindings(pairs: list[tuple[str, Shape]], known: Binding) -> Iterator[Binding]:
    if not pairs:
        yield known
        return
    (pattern, shape), *rest = pairs
    for each in pattern.split("|"):
        if (bound := _matched(each.split(","), shape, known)) is not None:
            yield from _bindings(rest, bound)


def _matched(words: Sequence[str], shape: Shape, known: Binding) -> Binding | None:
    if len(words) != len(shape):
        return None
    bound = dict(known)
    for word, extent in zip(words, shape, strict=True):
        expected = int(word) if word.isdecimal() else bound.setdefault(word, extent)
        if expected != extent:
            return None
    return bound
