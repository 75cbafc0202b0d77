"""Rules for the graph: readers of blobs, and the depth of the recursion that computes a blob."""

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ...dialects.ncnn.function import blobs_without_split
from ...dialects.ncnn.lookup import layers_of
from .findings import Finding, Findings, finding

DEEPEST = 4096
"""The largest number of layers in a chain: the runtime computes a blob by recursion over the layers
before it (src/net.cpp, `NetPrivate::forward_layer`), and the stack of a thread is finite."""


def audit_graph(func: FuncOp) -> Findings:
    """Audit the edges between layers."""
    for name in blobs_without_split(func):
        yield Finding(
            f"blob '{name}'",
            "",
            "several layers read it without a Split; the runtime frees it after the first",
        )
    depths: dict[SSAValue, int] = {}
    for op in layers_of(func):
        depth = 1 + max((depths.get(value, 0) for value in op.operands), default=0)
        depths.update(dict.fromkeys(op.results, depth))
        if depth == DEEPEST + 1:
            yield finding(op, "", f"it ends a chain of more than {DEEPEST} layers")
