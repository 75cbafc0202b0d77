"""Rewrites that the release for which a model is made does not allow."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple

from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...analysis.required_release import may_require, release_for, requirements_but_weights
from ...analysis.shapes import shapes_of
from ...analysis.target_info.releases import FOUR_DIMS
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.params import Value
from .remarks import Remark, name_of

if TYPE_CHECKING:
    from .selection import About


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
    of: "tuple[LayerOp, About] | None" = None,
) -> bool:
    """Whether the release for which the module is made lacks the layer that a pattern is about to
    make of others, the last of these first. If so, the listener of the context hears of it. `of` is
    as for `tell`.

    A pattern asks before it changes anything. A blob whose rank is unknown may have 4 dims.
    """
    last = layers[0]
    release = release_for(last)
    if release is None or not may_require(cls):
        return False
    from ..canonicalization.rewriting import successor  # when patterns are loaded anyway

    new = successor(last, cls, inputs, {}, params)
    found = next((r for r in requirements_but_weights(new) if r.release > release), None)
    new.drop_all_references()
    if found is None:
        return any(is_rank_withheld(pattern, layers, cls, v, rewriter, of) for v in inputs)
    _withhold(pattern, layers, cls, found.release, found.feature, of)
    return True


def is_rank_withheld(
    pattern: RewritePattern,
    layers: Sequence[LayerOp],
    cls: type[LayerOp],
    blob: SSAValue,
    rewriter: PatternRewriter,
    of: "tuple[LayerOp, About] | None" = None,
) -> bool:
    """Whether a blob that a layer of a type is about to read has, or may have, 4 dims, which the
    type does not take in the release for which the module is made. See `is_withheld`."""
    first = FOUR_DIMS.get(cls.LAYER_TYPE)
    if first is None or shapes_of(rewriter).rank(blob) not in (None, 4):
        return False
    return is_feature_withheld(pattern, layers, cls, first, "a blob of 4 dims", of)


def is_feature_withheld(
    pattern: RewritePattern,
    layers: Sequence[LayerOp],
    cls: type[LayerOp],
    first: str,
    feature: str,
    of: "tuple[LayerOp, About] | None" = None,
) -> bool:
    """Whether a feature of a layer type that a pattern is about to rely on first exists in a newer
    release than the one for which the module is made. See `is_withheld`."""
    release = release_for(layers[0])
    if release is None or first <= release:
        return False
    _withhold(pattern, layers, cls, first, feature, of)
    return True


def _withhold(
    pattern: RewritePattern,
    layers: Sequence[LayerOp],
    cls: type[LayerOp],
    first: str,
    feature: str,
    of: "tuple[LayerOp, About] | None",
) -> None:
    """Tell the listener of the context, if there is one, of a rewrite that requires a newer
    release."""
    listener = _LISTENER.get()
    if listener is not None:
        name, _ = name_of(pattern, *(of or (layers[0], cls)))
        labels = tuple(layer.label() for layer in layers)
        remark = Remark(name, labels, f"{feature} requires ncnn {first}")
        listener(Withheld(remark, cls.LAYER_TYPE, first))
