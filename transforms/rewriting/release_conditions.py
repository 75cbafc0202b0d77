"""Rewrites that the model's target release of the runtime does not support."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...analysis.module_attributes import is_tuned_for_vulkan
from ...analysis.required_release import may_require, release_for, requirements_but_weights
from ...analysis.shapes import shapes_of
from ...analysis.target_info.releases import FOUR_DIMS
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.params import Value
from .missed import UnsupportedRewrite, send_missed


class Replacement(NamedTuple):
    """Layers that a pattern is about to replace by a new one. A pattern calls these methods before
    it changes anything; they send a rewrite that the release does not support to the observers."""

    pattern: RewritePattern
    layers: Sequence[LayerOp]
    """The layers that the new layer replaces, the last one first."""
    cls: type[LayerOp]
    """The type of the new layer."""

    def is_unsupported(
        self, inputs: Sequence[SSAValue], params: Mapping[str, Value], rewriter: PatternRewriter
    ) -> bool:
        """Whether the module's target release lacks the new layer, or, if the module is tuned for
        Vulkan, its Vulkan implementation. A blob of unknown rank may have 4 dimensions."""
        last = self.layers[0]
        release = release_for(last)
        if self._leaves_device(release):
            return True
        if release is None or not may_require(self.cls):
            return False
        from ..canonicalization.rewriting import successor  # a pattern has imported it already

        new = successor(last, self.cls, inputs, {}, params)
        found = next((r for r in requirements_but_weights(new) if r.release > release), None)
        new.drop_all_references()
        if found is None:
            return any(self.is_rank_unsupported(v, rewriter) for v in inputs)
        self._withhold(found.release, found.feature)
        return True

    def is_rank_unsupported(self, blob: SSAValue, rewriter: PatternRewriter) -> bool:
        """Whether a blob that the new layer would read has, or may have, 4 dimensions, and the
        layer's type does not support 4 dimensions in the module's target release."""
        first = FOUR_DIMS.get(self.cls.LAYER_TYPE)
        if first is None or shapes_of(rewriter).rank(blob) not in (None, 4):
            return False
        return self.is_feature_unsupported(first, "a blob of 4 dims")

    def is_feature_unsupported(self, first: str, feature: str) -> bool:
        """Whether a feature of the layer type that the rewrite needs first exists in the release
        `first`, which is newer than the module's target release."""
        release = release_for(self.layers[0])
        if release is None or first <= release:
            return False
        self._withhold(first, feature)
        return True

    def _leaves_device(self, release: str | None) -> bool:
        """Whether the rewrite moves work to the CPU in a module that is tuned for Vulkan."""
        if not is_tuned_for_vulkan(self.layers[0]):
            return False
        from ...analysis.vulkan import first_release, leaves_device

        if not leaves_device(self.layers, self.cls, release):
            return False
        if (first := first_release(self.cls.LAYER_TYPE)) is not None:
            self._withhold(first, "its Vulkan implementation")
        return True

    def _withhold(self, first: str, feature: str) -> None:
        """Send the rewrite, which requires a newer release, to the observers."""
        layers, why = tuple(self.layers), f"{feature} requires ncnn {first}"
        kind = self.cls.LAYER_TYPE
        send_missed(UnsupportedRewrite(self.pattern, layers, self.cls, why, kind, first))
