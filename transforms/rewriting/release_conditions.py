"""Rewrites that the model's target release of the runtime does not support."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple

from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...analysis.module_attributes import is_tuned_for_vulkan
from ...analysis.required_release import may_require, release_for, requirements_but_weights
from ...analysis.shapes import shapes_of
from ...analysis.target_info.releases import FOUR_DIMS
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.params import Value
from .context import bound
from .remarks import Remark, name_of

if TYPE_CHECKING:
    from .selection import About


class UnsupportedRewrite(NamedTuple):
    """A rewrite that a newer release would support."""

    remark: Remark
    layer: str
    """The type of the layer that the rewrite would create."""
    release: str
    """The oldest release that supports this layer with its parameters."""


_LISTENER: ContextVar[Callable[[UnsupportedRewrite], None] | None] = ContextVar(
    "withheld", default=None
)


def unsupported_rewrites_to(
    listener: Callable[[UnsupportedRewrite], None],
) -> AbstractContextManager[None]:
    """Send the rewrites that the release does not support in the `with` block to `listener`. The
    listener may receive a rewrite several times."""
    return bound(_LISTENER, listener)


def is_layer_unsupported(
    pattern: RewritePattern,
    layers: Sequence[LayerOp],
    cls: type[LayerOp],
    inputs: Sequence[SSAValue],
    params: Mapping[str, Value],
    rewriter: PatternRewriter,
    of: "tuple[LayerOp, About] | None" = None,
) -> bool:
    """Whether the module's target release lacks the layer that a pattern is about to create, or, if
    the module is tuned for Vulkan, its Vulkan implementation. If so, send the rewrite to the
    listener of the context.

    `layers` are the layers that the new layer replaces, the last one first. `of` has the same
    meaning as for `tell`. A pattern calls this before it changes anything. A blob of unknown rank
    may have 4 dimensions.
    """
    last = layers[0]
    release = release_for(last)
    if _leaves_device(pattern, layers, cls, release, of):
        return True
    if release is None or not may_require(cls):
        return False
    from ..canonicalization.rewriting import successor  # a pattern has imported it already

    new = successor(last, cls, inputs, {}, params)
    found = next((r for r in requirements_but_weights(new) if r.release > release), None)
    new.drop_all_references()
    if found is None:
        return any(is_rank_unsupported(pattern, layers, cls, v, rewriter, of) for v in inputs)
    _withhold(pattern, layers, cls, found.release, found.feature, of)
    return True


def _leaves_device(
    pattern: RewritePattern,
    layers: Sequence[LayerOp],
    cls: type[LayerOp],
    release: str | None,
    of: "tuple[LayerOp, About] | None",
) -> bool:
    """Whether a rewrite in a module that is tuned for Vulkan moves work to the CPU."""
    if not is_tuned_for_vulkan(layers[0]):
        return False
    from ...analysis.vulkan import first_release, leaves_device

    if not leaves_device(layers, cls, release):
        return False
    if (first := first_release(cls.LAYER_TYPE)) is not None:
        _withhold(pattern, layers, cls, first, "its Vulkan implementation", of)
    return True


def is_rank_unsupported(
    pattern: RewritePattern,
    layers: Sequence[LayerOp],
    cls: type[LayerOp],
    blob: SSAValue,
    rewriter: PatternRewriter,
    of: "tuple[LayerOp, About] | None" = None,
) -> bool:
    """Whether a blob that a new layer would read has, or may have, 4 dimensions, and the layer's
    type does not support 4 dimensions in the module's target release (see
    `is_layer_unsupported`)."""
    first = FOUR_DIMS.get(cls.LAYER_TYPE)
    if first is None or shapes_of(rewriter).rank(blob) not in (None, 4):
        return False
    return is_feature_unsupported(pattern, layers, cls, first, "a blob of 4 dims", of)


def is_feature_unsupported(
    pattern: RewritePattern,
    layers: Sequence[LayerOp],
    cls: type[LayerOp],
    first: str,
    feature: str,
    of: "tuple[LayerOp, About] | None" = None,
) -> bool:
    """Whether a feature of a layer type that a rewrite needs first exists in the release `first`,
    which is newer than the module's target release. See `is_layer_unsupported`."""
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
    """Send a rewrite that requires a newer release to the listener of the context, if any."""
    listener = _LISTENER.get()
    if listener is not None:
        name, _ = name_of(pattern, *(of or (layers[0], cls)))
        labels = tuple(layer.label() for layer in layers)
        remark = Remark(name, labels, f"{feature} requires ncnn {first}")
        listener(UnsupportedRewrite(remark, cls.LAYER_TYPE, first))
