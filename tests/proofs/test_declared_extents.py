"""Declared extents are no facts: steps that rely on them are refuted, along each axis."""

from dataclasses import dataclass

import pytest
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.frontends.mlir.parsing import parse_ir
from ncnn_opt.proofs import Status, prove
from ncnn_opt.proofs.recorder import RecordedRewrite, Recorder
from ncnn_opt.proofs.scaled_extents import KnownShapes
from ncnn_opt.transforms.rewriting.observers import observing
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from .instances import context

NOTHING = '%y = ncnn.noop %x {name = "y"} : (X) -> X'


def model(line: str, shape: str = "4x5x6") -> ModuleOp:
    type_ = f"tensor<{shape}xf32>"
    text = f"func.func @main(%x: X) -> X {{\n{line}\nfunc.return %y : X\n}}".replace("X", type_)
    return parse_ir(context(), text.encode(), "it.mlir")


@dataclass(frozen=True)
class Becomes(ModulePass):
    """A pass that replaces a model by another one."""

    after: ModuleOp

    name = "becomes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        (func,) = [each for each in op.ops if isinstance(each, FuncOp)]
        func.detach()
        (new,) = [each for each in self.after.clone().ops if isinstance(each, FuncOp)]
        new.detach()
        op.body.block.add_op(new)


def status(before: ModuleOp, after: ModuleOp) -> Status:
    """The status of the step of a run."""
    steps: list[RecordedRewrite] = []
    recorder, pass_, module = Recorder(steps.append), Becomes(after), before.clone()
    recorder.between_passes(None, module, pass_)
    with observing(recorder):
        pass_.apply(Context(), module)
    recorder.between_passes(pass_, module, None)
    (step,) = steps
    assert prove(pass_, before).status is step.verdict.status
    return step.verdict.status


INTERP = '%y = ncnn.interp %x {name = "y", resize_type = 2, output_height = 5, output_width = 6}'
CROPS = {
    axis: f'%y = ncnn.crop %x {{name = "y", starts = [0], ends = [{n}], axes = [{axis}]}}'
    for axis, n in enumerate((4, 5, 6))
}
RESHAPE = '%y = ncnn.reshape %x {name = "y", w = 6, h = 5, c = 4}'


@pytest.mark.parametrize("line", [INTERP, *CROPS.values(), RESHAPE])
def test_a_layer_to_the_declared_extents_is_not_dropped(line: str) -> None:
    assert status(model(f"{line} : (X) -> X"), model(NOTHING)) is Status.REFUTED


def test_a_layer_that_keeps_each_extent_is_dropped() -> None:
    right = '%y = ncnn.reshape %x {name = "y", w = 0, h = 0, c = 0} : (X) -> X'
    assert status(model(right), model(NOTHING)) is Status.PROVEN


def test_undeclared_extents_change_each_axis() -> None:
    found = KnownShapes(model_of(model(NOTHING))).alternatives
    declared = (4, 5, 6)
    for axis, n in enumerate(declared):
        assert any(each[0][axis] != n for each in found)
    assert len(found) <= 5


def test_undeclared_extents_that_contradict_weights_are_not_tried() -> None:
    """The channels of a convolution stay; its rows and columns change."""
    text = """
    func.func @main(%x: tensor<2x5x6xf32>) -> tensor<3x5x6xf32> {
      %w = ncnn.constant dense<0.5> : tensor<3x2x1x1xf32>
      %y = ncnn.convolution %x weight %w {name = "y", num_output = 3, kernel_w = 1}
        : (tensor<2x5x6xf32>, tensor<3x2x1x1xf32>) -> tensor<3x5x6xf32>
      func.return %y : tensor<3x5x6xf32>
    }"""
    func = model_of(parse_ir(context(), text.encode(), "it.mlir"))
    found = [each[0] for each in KnownShapes(func).alternatives]
    assert {shape[0] for shape in found} == {2}
    assert any(shape[1] != 5 for shape in found)
    assert any(shape[2] != 6 for shape in found)
