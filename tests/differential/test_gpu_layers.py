"""`-O` makes no layer without GPU code of layers that all have GPU code."""

from collections import Counter
from pathlib import Path

from ncnn_opt.analysis.target_info.releases import releases
from ncnn_opt.analysis.target_info.vulkan import vulkan_layers
from ncnn_opt.analysis.vulkan import cpu_reason
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.transforms import OPTIMIZE
from xdsl.dialects.builtin import ModuleOp

from .compiler import load, run_passes
from .releases import random_nets

NETS = 70


def on_cpu(module: ModuleOp) -> Counter[str]:
    """The layers that run on the CPU, by type."""
    layers = [op for op in model_of(module).body.block.ops if isinstance(op, LayerOp)]
    return Counter(
        op.LAYER_TYPE
        for op in layers
        if not isinstance(op, ConstantOp) and cpu_reason(op) is not None
    )


def test_random_nets_do_not_leave_the_gpu(tmp_path: Path) -> None:
    wrong: list[str] = []
    checked = 0
    for name, net in random_nets(NETS, 500):
        module = load(net.write(tmp_path, "net"))
        if on_cpu(module):
            continue
        checked += 1
        run_passes(module, OPTIMIZE)
        if found := on_cpu(module):
            wrong.append(f"{name}: {dict(found)}")
    assert checked > NETS // 4
    assert wrong == []


def test_the_table_has_layers_without_gpu_code() -> None:
    layers = vulkan_layers(releases()[-1])
    assert "Convolution" in layers
    assert "MatMul" not in layers
