"""The driver of these tests sees what is wrong, wherever it shows, and nothing else."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.blob import static_shape_of
from ncnn_opt.dialects.ncnn.constant import ConstantOp, attached_constant
from ncnn_opt.dialects.ncnn.elementwise import BinaryOpOp
from ncnn_opt.dialects.ncnn.innerproduct import InnerProductOp
from ncnn_opt.dialects.ncnn.normalization import BiasOp
from ncnn_opt.dialects.ncnn.reduction import SoftmaxOp
from ncnn_opt.dialects.ncnn.resampling import InterpOp
from ncnn_opt.dialects.ncnn.structure import NoopOp
from ncnn_opt.dialects.ncnn.weights import make_weight
from ncnn_opt.transforms import get_all_passes
from ncnn_opt.transforms.canonicalization.rewriting import replace_by_new
from ncnn_opt.transforms.rewriting.pattern_pass import PatternPass, Patterns
from xdsl.dialects.builtin import TensorType, f32
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from . import compiler
from .driver import Mismatch, Trial
from .nets import Net
from .oracle import Oracle
from .runtime import Failure, Runtime

Change = Callable[[Operation, PatternRewriter], None]


@dataclass(frozen=True)
class Wrong(RewritePattern):
    """A pattern that ought not to be."""

    change: Change

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        self.change(op, rewriter)


@contextmanager
def wrong(change: Change) -> Generator[list[str]]:
    """Passes of which one is wrong."""

    class WrongPass(PatternPass):
        """Is not right."""

        name = "wrong"

        def patterns(self) -> Patterns:
            return (Wrong(change),)

    passes = {**get_all_passes(), "wrong": lambda: WrongPass}
    with mock.patch.object(compiler, "get_all_passes", return_value=passes):
        yield ["eliminate-split", "wrong"]


def declared_extents(op: Operation, rewriter: PatternRewriter) -> None:
    if isinstance(op, InterpOp) and not op.output_width:
        _, h, w = static_shape_of(op.results[0]) or (0, 0, 0)
        op.set_params(output_height=h, output_width=w)
        rewriter.notify_op_modified(op)


def declared_dims(op: Operation, rewriter: PatternRewriter) -> None:
    if isinstance(op, SoftmaxOp) and op.axis < 0:
        op.set_params(axis=op.axis + len(static_shape_of(op.input) or ()))
        rewriter.notify_op_modified(op)


def factor_out_of_range(op: Operation, rewriter: PatternRewriter) -> None:
    if not isinstance(op, BinaryOpOp) or op.b != 1:
        return
    before = op.operands[0].owner
    constant = attached_constant(before.weight) if isinstance(before, InnerProductOp) else None
    assert constant is not None
    type_ = constant.output.type
    assert isinstance(type_, TensorType)
    small = ConstantOp.of(make_weight(constant.read() * 1e-9, type_), type_)
    rewriter.insert(small)
    assert isinstance(before, InnerProductOp)
    before.set_weights(weight=small.output)
    op.set_params(b=1e9)
    rewriter.notify_op_modified(op)


def too_few_zeros(op: Operation, rewriter: PatternRewriter) -> None:
    if isinstance(op, NoopOp):
        type_ = TensorType(f32, (1,))
        zeros = ConstantOp.of(make_weight(np.zeros(1, "f4"), type_), type_)
        rewriter.insert(zeros)
        replace_by_new(op, BiasOp, op.operands, {"bias": zeros.output}, {}, rewriter)


def enlarged() -> Net:
    net = Net()
    net.layer("Interp", net.input("x", (2, 4, 5)), "y", {0: 1, 1: 2.0, 2: 2.0})
    return net


def squeezed() -> Net:
    net = Net()
    net.layer("Squeeze", net.input("x", (1, 4, 5)), "q", {2: 1})
    net.layer("Softmax", "q", "y", {0: -1, 1: 1})
    return net


def scaled() -> Net:
    net = Net()
    net.tagged(net.normal(4, 6))
    net.layer("InnerProduct", net.input("x", (6,)), "p", {0: 4, 2: 24})
    net.layer("BinaryOp", "p", "y", {0: 2, 1: 1, 2: 1.0})
    return net


def nothing() -> Net:
    net = Net()
    net.layer("Noop", net.input("x", (12, 3, 3)), "y")
    return net


@pytest.mark.parametrize(
    ("build", "change", "where"),
    [
        (enlarged, declared_extents, "float32, extents"),
        (squeezed, declared_dims, "float32, extents"),
        (scaled, factor_out_of_range, "default options"),
        (nothing, too_few_zeros, "float32"),
    ],
)
def test_what_is_wrong_is_found(
    build: Callable[[], Net], change: Change, where: str, runtime: Runtime, tmp_path: Path
) -> None:
    trial = Trial(build(), runtime, tmp_path)
    assert trial.is_evidence
    trial.after(["eliminate-split"])
    with wrong(change) as passes, pytest.raises(Mismatch) as caught:
        trial.after(passes)
    assert caught.value.where.startswith(where)
    assert caught.value.fired == {"Wrong": 1}


def test_wrong_only_at_other_extents(runtime: Runtime, tmp_path: Path) -> None:
    trial = Trial(enlarged(), runtime, tmp_path, others=0)
    with wrong(declared_extents) as passes:
        assert trial.after(passes).fired == {"Wrong": 1}


def test_what_the_original_does_not_compute_is_no_mismatch(
    runtime: Runtime, tmp_path: Path
) -> None:
    """The runtime does not set what fills up the last packed element."""
    net = Net()
    net.layer("Packing", net.input("x", (6, 3, 5)), "y", {0: 4, 1: 1})
    trial = Trial(net, runtime, tmp_path)
    param = net.write(tmp_path)
    one, other = (o.run(param, [net.inputs], ["y"])[0] for o in runtime.oracles)
    assert not isinstance(one, Failure)
    assert not isinstance(other, Failure)
    assert np.array_equal(one["y"][:6], other["y"][:6])
    assert not np.array_equal(one["y"][6:], other["y"][6:])
    trial.after()


def test_an_oracle_survives_crashes(tmp_path: Path) -> None:
    net = Net()
    net.plain(np.zeros(2, "f4"))
    net.layer("Bias", net.input("x", (2, 1, 1)), "y", {0: 2})
    oracle = Oracle(0)
    try:
        many = {"x": np.zeros((2_000_000, 1, 1), "f4")}  # the runtime reads 8 MB behind two values
        for _ in range(2):
            found = oracle.run(net.write(tmp_path), [net.inputs, many, net.inputs], ["y"])
            assert [type(blobs) for blobs in found] == [dict, Failure, dict]
            oracle.renew()
    finally:
        oracle.close()
