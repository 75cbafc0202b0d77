"""Patterns as they were when they were wrong: proofs refute them, and prove those of today.

They took the extents and ranks of types, which follow from a file's declared input shapes, for
certain. The runtime accepts other shapes.
"""

from collections.abc import Generator
from contextlib import contextmanager

import pytest
from ncnn_opt.dialects.shapes.analysis import Shapes
from ncnn_opt.frontends.mlir.parsing import parse_ir
from ncnn_opt.proofs import Proof, Status, prove

from .instances import context

TWICE = """
  %y = ncnn.binaryop %n {name = "y", op_type = mul, with_scalar = 1, b = 2.0} : (TYPE) -> TYPE
  func.return %y : TYPE
}
"""

INSTANCE_NORM = (
    """
func.func @main(%x: TYPE) -> TYPE {
  %n = ncnn.instancenorm %x {name = "n", channels = 2} : (TYPE) -> TYPE
"""
    + TWICE
)

LAYER_NORM = (
    """
func.func @main(%x: TYPE) -> TYPE {
  %n = ncnn.layernorm %x {name = "n", affine_size = 5} : (TYPE) -> TYPE
"""
    + TWICE
)

BIAS = """
func.func @main(%x: tensor<1x3x4xf32>) -> TYPE {
  %c = ncnn.constant dense<[0.5, 0.25, 0.125]> : tensor<3xf32>
  %q = ncnn.squeeze %x {name = "q", squeeze_c = 1} : (tensor<1x3x4xf32>) -> TYPE
  %b = ncnn.bias %q bias %c {name = "b"} : (TYPE, tensor<3xf32>) -> TYPE
  %y = ncnn.binaryop %b {name = "y", with_scalar = 1, b = 1.0} : (TYPE) -> TYPE
  func.return %y : TYPE
}
"""

SOFTMAX = """
  %e = ncnn.unaryop %q {name = "e", op_type = exp} : (TYPE) -> TYPE
  %s = ncnn.reduction %e {
    name = "s", reduce_all = 0, axes = [-1], keepdims = 1, fixbug0 = 1} : (TYPE) -> SUMS
  %y = ncnn.binaryop %e, %s {name = "y", op_type = div} : (TYPE, SUMS) -> TYPE
  func.return %y : TYPE
}
"""

SOFTMAX_OF_SQUEEZE = """
func.func @main(%x: tensor<1x3x4xf32>) -> TYPE {
  %q = ncnn.squeeze %x {name = "q", squeeze_c = 1} : (tensor<1x3x4xf32>) -> TYPE
""" + SOFTMAX.replace("SUMS", "tensor<3x1xf32>")

SOFTMAX_OF_ROWS = """
func.func @main(%x: tensor<3x1xf32>) -> TYPE {
  %w = ncnn.constant dense<[[1.0, 2.0, 3.0], [1.5, 2.0, 3.0], [1.0, 2.5, 3.0], [1.0, 2.0, 0.5]]>
    : tensor<4x3xf32>
  %q = ncnn.innerproduct %x weight %w {name = "q", num_output = 4}
    : (tensor<3x1xf32>, tensor<4x3xf32>) -> TYPE
""" + SOFTMAX.replace("SUMS", "tensor<1xf32>")

OLD = {
    "InstanceNorm": ("fuse-norm-affine", INSTANCE_NORM, "2x3x3", "18x1x1"),
    "LayerNorm": ("fuse-norm-affine", LAYER_NORM, "3x5", "15x1"),
    "Bias": ("fuse-affine-affine", BIAS, "3x4", "2x3x4"),
    "Squeeze": ("fuse-softmax", SOFTMAX_OF_SQUEEZE, "3x4", "2x3x4"),
    "InnerProduct": ("fuse-softmax", SOFTMAX_OF_ROWS, "4", "1x3"),
}
"""The pass, the model, the shape `TYPE`, and an input shape at which the old pass is wrong."""


@contextmanager
def types_are_certain() -> Generator[None]:
    """Let patterns take the extents of types for certain."""
    init = Shapes.__init__
    Shapes.__init__ = lambda self, declared=False: init(self, True)
    try:
        yield
    finally:
        Shapes.__init__ = init


def proof_of(name: str) -> Proof:
    rewrite, text, shape, _ = OLD[name]
    text = text.replace("TYPE", f"tensor<{shape}xf32>")
    module = parse_ir(context(), text.encode(), "it.mlir")
    module.verify()
    return prove(rewrite, module)


@pytest.mark.parametrize("name", OLD)
def test_an_old_pattern_is_refuted(name: str) -> None:
    assert proof_of(name).status in (Status.UNCHANGED, Status.PROVEN)
    with types_are_certain():
        proof = proof_of(name)
    assert proof.status is Status.REFUTED
    assert f"inputs of {OLD[name][3]}" in proof.reason


def test_a_specialized_model_has_no_other_extents() -> None:
    text = LAYER_NORM.replace("TYPE", "tensor<3x5xf32>")
    promised = text.replace("xf32>)", "xf32> {ncnn.promised})", 1)
    module = parse_ir(context(), promised.encode(), "it.mlir")
    assert prove("fuse-norm-affine", module).status is Status.PROVEN
