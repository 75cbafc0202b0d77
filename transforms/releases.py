"""Rewrites that the release for which a model is made does not allow."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.params import Value
from ..processors.releases import FOUR_DIMS
from .analysis.releases import Requirement, may_require, release_for, requirements_but_weights
from .analysis.shapes import shapes_of
from .canonicalization.rewriting import successor
from .remarks import Remark, name_of


class Withheld(NamedTuple):
    """A rewrite that a newer release would allow."""

    remark: Remark
    layer: str
    """The type of the layer that the rewrite would make."""
    release: str
    """The oldest release that has this layer with its parameters."""


_LISTENER: ContextVar[Callable[[Withheld], None] | None] = ContextVar("withheld", default=None)


@contextmanager
def hearing_withheld(listener: Callable[[Withheld], None]) -> Generator[None]:
    """Send to this listener the rewrites that the release does not allow in the block. A rewrite
    may be sent several times."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


def is_withheld(
    pattern: RewritePattern,
    layers: Sequence[LayerOp],
    cls: type[LayerOp],
    inputs: Sequence[SSAValue],
    params: Mapping[str, Value],
    rewriter: PatternRewriter,
) -> bool:
    """Whether the release for which the module is made lacks the layer that a pattern is about to
    make of others, the last of these first. If so, the listener of the context hears of it.

    A pattern asks before it changes anything. A blob whose rank is unknown may have 4 dims.
    """
    last = layers[0]
    release = release_for(last)
    if release is None or not may_require(cls):
        return False
    new = successor(last, cls, inputs, {}, params)
    found = next((r for r in requirements_but_weights(new) if r.release > release), None)
    first = FOUR_DIMS.get(cls.LAYER_TYPE, release)
    if found is None and first > release:
        shapes = shapes_of(rewriter)
        if any(shapes.rank(blob) in (None, 4) for blob in inputs):
            found = Requirement(first, new.label(), "a blob of 4 dims")
    new.drop_all_references()
    if found is not None:
        withhold(pattern, layers, cls, found)
    return found is not None


def is_feature_withheld(
    pattern: RewritePattern,
    layers: Sequence[LayerOp],
    cls: type[LayerOp],
    first: str,
    feature: str,
) -> bool:
    """Whether a pattern is about to rely on a feature that first exists in a newer release than the
    one for which the module is made. If so, the listener of the context hears of it."""
    release = release_for(layers[0])
    if release is None or first <= release:
        return False
    withhold(pattern, layers, cls, Requirement(first, layers[0].label(), feature))
    return True


def withhold(
    pattern: RewritePattern, layers: Sequence[LayerOp], cls: type[LayerOp], found: Requirement
) -> None:
    """Tell the listener of the context, if there is one, of a rewrite that requires a newer
    release."""
    listener = _LISTENER.get()
    if listener is not None:
        name, _ = name_of(pattern, layers[0], cls)
        labels = tuple(layer.label() for layer in layers)
        note = f"{found.feature} requires ncnn {found.release}"
        listener(Withheld(Remark(name, labels, note), cls.LAYER_TYPE, found.release))
