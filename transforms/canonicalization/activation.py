"""Activations: into the layer before."""

from dataclasses import dataclass

from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from ...dialects.ncnn.interfaces import ActivationHost, FusableActivation
from ..remarks import remark
from .affine import producer_family
from .rewriting import only_producer, take_over


@dataclass(frozen=True)
class FuseActivation(RewritePattern):
    """Lets a layer apply the activation that follows it.

    Algebra: none; the host applies the same function to each output, after weights and bias.

    Conditions, and why:
    - the host has no activation yet: it has one place, and nothing is overwritten;
    - the value between has this one use and is no output: somebody else needs it as it is;
    - the host's output is float: with `int8_scale_term` over 100 it is quantized after the fused
      activation, but before a separate one.
    """

    family: str | None = None
    """Only hosts of this family (see `producer_family`)."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, FusableActivation):
            return
        host = only_producer(op.operands[0], op)
        if not isinstance(host, ActivationHost) or host.activation_type:
            return
        family = producer_family(host)
        if self.family not in (None, family) or getattr(host, "int8_scale_term", 0) > 100:
            return
        activation = op.fused_activation()
        host.set_params(activation_type=activation.type, activation_params=activation.params)
        remark(f"fuse-{family}-activation", host.label(), op.label())
        take_over(host, op, rewriter)
