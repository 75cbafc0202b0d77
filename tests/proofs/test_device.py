"""No pass replaces layers that a Vulkan device computes by a layer that the CPU computes."""

from collections import Counter

from ncnn_opt.analysis.target_info.releases import releases
from ncnn_opt.analysis.target_info.vulkan import vulkan_layers
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.transforms import get_all_passes
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import PassFailedException

from .instances import instances, passes


def test_no_pass_moves_work_to_the_cpu() -> None:
    """On the models of the lit tests, with the newest release."""
    layers = vulkan_layers(releases()[-1])
    for name in passes():
        for instance in instances(name):
            before, after = types_of(instance.module), instance.module.clone()
            try:
                get_all_passes()[name]()().apply(Context(), after)
            except PassFailedException:
                continue
            made, gone = types_of(after) - before, before - types_of(after)
            lost = [layer for layer in made if layer not in layers]
            assert not lost or any(layer not in layers for layer in gone), (name, instance.file)


def types_of(module: ModuleOp) -> Counter[str]:
    """The number of layers of each type."""
    ops = (op for op in module.walk() if isinstance(op, LayerOp))
    return Counter(op.LAYER_TYPE for op in ops if not isinstance(op, ConstantOp))
