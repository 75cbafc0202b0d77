"""The arguments of PNNX's operators that an ncnn model does not contain: PNNX writes the names of
operators that it could not lower, without their arguments."""

from collections.abc import Mapping

LOST: Mapping[str, str] = {
    **dict.fromkeys(("Tensor.to", "aten::to", "Tensor.type"), "the type that it converts to"),
    **dict.fromkeys(("Tensor.expand", "Tensor.reshape", "Tensor.view"), "the sizes"),
    **dict.fromkeys(("torch.tile", "Tensor.repeat"), "the numbers of repetitions"),
    **dict.fromkeys(
        ("torch.repeat_interleave", "Tensor.repeat_interleave"),
        "the axis and the number of repetitions",
    ),
    **dict.fromkeys(("torch.index_select", "torch.gather"), "the axis"),
    **dict.fromkeys(("Tensor.select", "torch.select"), "the axis and the index"),
    "Tensor.slice": "the axes, starts, ends and steps",
    **dict.fromkeys(
        ("torch.unbind", "torch.cat", "torch.stack", "torch.chunk", "torch.split"), "the axis"
    ),
    **dict.fromkeys(("torch.transpose", "torch.permute", "Tensor.permute"), "the order of axes"),
    **dict.fromkeys(
        ("nn.InstanceNorm1d", "nn.InstanceNorm2d", "nn.InstanceNorm3d"),
        "eps, and whether its weights are used",
    ),
    "F.scaled_dot_product_attention": "the scale, and whether attention is causal",
    "nn.MultiheadAttention": "the number of heads",
    "pnnx.Expression": "the expression",
}
"""The arguments that determine the meaning of an operator, by its type."""
