"""The passes to linalg by the names of their stages."""

from collections.abc import Sequence

import pytest
from ncnn_opt.native import lowering
from ncnn_opt.native.options import CompileOptions, Stages
from xdsl.dialects.builtin import ModuleOp, TensorType, f32
from xdsl.dialects.func import FuncOp, ReturnOp


def test_a_pipeline_is_its_stages_in_order() -> None:
    stages = CompileOptions(conv="named", weights="args").stages()
    assert CompileOptions(conv="named", weights="args").pipeline() == (
        stages.host_ops,
        stages.fusing,
        stages.to_linalg,
        stages.weights,
    )
    assert stages.weights == "externalize-weights{style=args}"


def test_a_lowering_runs_stages_by_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ran: list[list[str]] = []
    stages = Stages("tail", "fuse", "linalg", "weights")
    monkeypatch.setattr(CompileOptions, "stages", lambda self: stages)  # pyright: ignore

    def run(passes: Sequence[str], module: ModuleOp) -> None:
        ran.append([*passes])

    monkeypatch.setattr(lowering, "_run", run)
    module = _model()
    lowering.lower(module, CompileOptions(conv="named", for_iree=False))
    assert ran == [["tail"], ["fuse"], ["linalg"], ["weights"]]


def _model() -> ModuleOp:
    func = FuncOp("main", ([TensorType(f32, [4])], [TensorType(f32, [4])]))
    func.body.block.add_op(ReturnOp(func.body.block.args[0]))
    return ModuleOp([func])
