# Options of all types are handed on as keywords.
# pyright: reportArgumentType=false

# ruff: noqa: E501
# fmt: off
"""The operators, with parameters, shapes of their operands and of their weights. One line holds
one kind of cases."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

Shape = tuple[int, ...]
Array = NDArray[Any]

NONE = "None"


class Case(NamedTuple):
    """One operator."""

    type: str
    params: Mapping[str, Any]
    inputs: Sequence[Shape]
    weights: Mapping[str, Shape]
    keys: Sequence[str]
    dtypes: Sequence[str]
    """PNNX's element types of the operands."""
    outputs: int
    constants: Sequence[int]
    """The places of the operands that are constants."""
    made: str = "f32"
    """PNNX's element type of the results."""

    def label(self) -> str:
        words = " ".join(f"{k}={text(v)}" for k, v in self.params.items())
        return f"{self.type} {words} {self.inputs}"


def case(
    type_: str,
    *inputs: Shape,
    weights: Mapping[str, Shape] | None = None,
    keys: Sequence[str] = (),
    dtypes: Sequence[str] = (),
    outputs: int = 1,
    constants: Sequence[int] = (),
    made: str = "f32",
    **params: Any,
) -> Case:
    """Return a case; operands are float32 unless `dtypes` names others, results are `made`."""
    types = list(dtypes) + ["f32"] * (len(inputs) - len(dtypes))
    return Case(type_, params, inputs, weights or {}, keys, types, outputs, constants, made)


def text(value: Any) -> str:
    """Return a parameter as PNNX writes it."""
    if isinstance(value, tuple):
        return f"({','.join(map(text, cast(Sequence[Any], value)))})"
    if isinstance(value, float):
        return f"{value:e}"
    return str(value)


def operands(case_: Case) -> list[Array]:
    """Return the values of the operands: of both signs, with zeros and equal numbers, beyond 1."""
    rng = np.random.default_rng(len(case_.label()))
    found: list[Array] = []
    for shape, dtype in zip(case_.inputs, case_.dtypes, strict=True):
        if dtype == "bool":
            mask = rng.random(shape) < 0.6
            mask[..., 0] = True  # a row without a visible key has no softmax
            found.append(mask)
        elif dtype == "i64":
            found.append(rng.integers(0, 5, shape))
        else:
            x = rng.normal(0, 2, shape)
            # Multiples of a quarter, also zeros and equal numbers; but no places between two pixels,
            # where PyTorch and the runtime take another one.
            share = 0.0 if case_.type == "F.grid_sample" else 0.3
            found.append(np.where(rng.random(shape) < share, np.round(x * 4) / 4, x).astype("f4"))
    return found


def weight(case_: Case, key: str) -> Array:
    """Return the values of a weight."""
    rng = np.random.default_rng(len(key) + len(case_.label()))
    values = rng.normal(0, 0.5, case_.weights[key])
    return (np.abs(values) + 0.5 if "var" in key else values).astype("f4")


def graph_text(case_: Case, shapes: Sequence[Shape] | None) -> str:
    """Return the graph with one operator. `shapes` are the shapes of its results."""
    names = [f"x{i}" for i in range(len(case_.inputs))]
    made = [f"y{i}" for i in range(case_.outputs)]
    shown = {
        n: f"#{n}={text(s)}{d}"
        for n, s, d in zip(names, case_.inputs, case_.dtypes, strict=True)
    }
    shown |= {} if shapes is None else {n: f"#{n}={text(s)}{case_.made}" for n, s in zip(made, shapes, strict=True)}
    lines: list[str] = []
    for i, (name, shape) in enumerate(zip(names, case_.inputs, strict=True)):
        if i in case_.constants:
            lines.append(f"pnnx.Attribute a{i} 0 1 {name} @data={text(shape)}{case_.dtypes[i]} {shown[name]}")
        else:
            lines.append(f"pnnx.Input in{i} 0 1 {name} {shown[name]}")
    words = [
        case_.type,
        "op",
        str(len(names)),
        str(len(made)),
        *names,
        *made,
        *(f"{k}={text(v)}" for k, v in case_.params.items()),
        *(f"@{k}={text(s)}f32" for k, s in case_.weights.items()),
        *(f"${k}={n}" for k, n in zip(case_.keys, names, strict=False)),
        *shown.values(),
    ]
    lines.append(" ".join(words))
    lines += [f"pnnx.Output out{i} 1 0 {n} {shown.get(n, '')}" for i, n in enumerate(made)]
    count = len(names) + len(made)
    return f"7767517\n{len(lines)} {count}\n" + "\n".join(lines) + "\n"


X3, X4, X5, X2 = (1, 5, 6), (1, 4, 5, 6), (2, 3, 2, 4, 3), (3, 8)
SHAPES = ((7,), X2, X3, X4, (2, 3, 4, 5), X5, (1, 2, 3, 2, 4, 3))
"""Operands of all ranks, with and without a batch."""


def _activations() -> list[Case]:
    names = (
        "relu", "relu6", "sigmoid", "tanh", "silu", "hardswish", "hardsigmoid", "mish", "softsign",
        "tanhshrink", "logsigmoid", "selu",
    )
    found = [case(f"F.{n}", s) for n, s in product(names, (X4, X5))]
    found += [case("F.relu", s) for s in SHAPES]
    found += [case("F.gelu", X3), case("F.gelu", X3, approximate="tanh"), case("nn.GELU", X4, approximate="none")]
    found += [case("F.leaky_relu", X4, negative_slope=0.3), case("nn.LeakyReLU", X3, negative_slope=0.1)]
    found += [case("F.elu", X4, alpha=0.7), case("F.celu", X4, alpha=0.7)]
    found += [case("nn.Hardtanh", X4, min_val=-0.5, max_val=1.5)]
    found += [case("F.softplus", X4, beta=b, threshold=20.0) for b in (1.0, 0.5)]
    found += [case("F.hardshrink", X4, lambd=0.7), case("F.softshrink", X4, lambd=0.7)]
    found += [case("torch.clamp", X4, min=-1.0, max=0.5), case("torch.clamp", X4, min=0.25, max=NONE)]
    found += [case("nn.PReLU", s, weights={"weight": (n,)}, num_parameters=n)
              for s, n in ((X4, 4), (X4, 1), (X3, 5), ((2, 3, 4, 5), 3), ((3, 8), 8), (X5, 3))]
    found += [case(f"F.{n}", s, dim=d) for n, s, d in product(("softmax", "log_softmax"), (X3, X4, (2, 3, 4, 5)), (-1, 1, 0, -2))]
    found += [case("F.softmax", X5, dim=d) for d in range(5)]
    found += [case("F.glu", (1, 4, 6, 8), dim=d) for d in (1, 2, 3, -1)]
    found += [case("nn.Softmax2d", X4)]
    return found


def _linear() -> list[Case]:
    found: list[Case] = []
    for shape, bias in product(((8,), (1, 8), X2, (1, 5, 8), (2, 3, 4, 8)), (True, False)):
        weights = {"bias": (6,), "weight": (6, 8)} if bias else {"weight": (6, 8)}
        found.append(case("nn.Linear", shape, weights=weights, bias=bias, in_features=8, out_features=6))
    pairs = (
        ((4, 5), (5, 3)), ((1, 4, 5), (1, 5, 3)), ((2, 4, 5), (2, 5, 3)), ((1, 3, 4, 5), (1, 3, 5, 2)),
        ((2, 3, 4, 5), (2, 3, 5, 2)), ((2, 3, 4, 5), (1, 3, 5, 2)), ((2, 1, 4, 5), (1, 3, 5, 2)),
        ((2, 3, 4, 5), (5, 2)), ((4, 5), (3, 5, 2)), ((5,), (5, 3)), ((4, 5), (5,)), ((2, 3, 4, 5), (3, 5, 2)),
        ((2, 3, 2, 4, 5), (2, 3, 2, 5, 2)), ((1, 2, 3, 2, 4, 5), (1, 2, 3, 2, 5, 2)),
    )
    found += [case("torch.matmul", a, b) for a, b in pairs]
    found += [case("torch.bmm", (2, 4, 5), (2, 5, 3)), case("torch.mm", (4, 5), (5, 3))]
    found += [case("torch.addmm", (3,), (4, 5), (5, 3), alpha=0.5, beta=2.0), case("torch.baddbmm", (2, 4, 3), (2, 4, 5), (2, 5, 3), alpha=1.0, beta=1.0)]
    for equation, a, b in (
        ("bhid,bhjd->bhij", (1, 2, 3, 4), (1, 2, 5, 4)), ("bhij,bhjd->bhid", (2, 2, 3, 4), (2, 2, 4, 5)),
        ("nchw,kc->nkhw", X4, (3, 4)), ("bqnc,bnchw->bqnhw", (1, 2, 3, 4), (1, 3, 4, 2, 5)), ("ij,jk->ik", (3, 4), (4, 5)),
    ):
        found.append(case("torch.einsum", a, b, equation=equation))
    found.append(case("F.linear", (1, 5, 8), (6, 8), (6,), constants=(1, 2), keys=("input", "weight", "bias")))
    return found


def _convolutions() -> list[Case]:
    found: list[Case] = []
    for rank, shape, groups, bias in product((1, 2, 3), (1, 3), (1, 2, 4), (True, False)):
        n = (shape, 4, *(7, 8, 6)[:rank])
        weights: dict[str, Shape] = {"weight": (8, 4 // groups, *(3, 2, 3)[:rank])}
        if bias:
            weights["bias"] = (8,)
        found.append(case(f"nn.Conv{rank}d", n, weights=weights, bias=bias, in_channels=4, out_channels=8,
                          kernel_size=(3, 2, 3)[:rank], stride=(2, 1, 1)[:rank], padding=(1, 0, 1)[:rank],
                          dilation=(1, 2, 1)[:rank], groups=groups, padding_mode="zeros"))
        weights = {"weight": (4, 8 // groups, *(3, 2, 3)[:rank])} | ({"bias": (8,)} if bias else {})
        found.append(case(f"nn.ConvTranspose{rank}d", n, weights=weights, bias=bias, in_channels=4, out_channels=8,
                          kernel_size=(3, 2, 3)[:rank], stride=(2, 1, 2)[:rank], padding=(1, 0, 0)[:rank],
                          output_padding=(1, 0, 1)[:rank], dilation=(1, 1, 1)[:rank], groups=groups))
    for mode in ("reflect", "replicate", "circular"):
        found.append(case("nn.Conv2d", (1, 4, 6, 7), weights={"weight": (3, 4, 3, 3)}, bias=False, in_channels=4, out_channels=3,
                          kernel_size=(3, 3), stride=(1, 1), padding=(1, 1), dilation=(1, 1), groups=1, padding_mode=mode))
    for kernel in (3, 4):
        found.append(case("nn.Conv1d", (1, 4, 9), weights={"weight": (3, 4, kernel)}, bias=False, in_channels=4, out_channels=3,
                          kernel_size=(kernel,), stride=(1,), padding="same", dilation=(2,), groups=1, padding_mode="zeros"))
    return found


def _normalizations() -> list[Case]:
    found: list[Case] = []
    for shape, dims in product((X3, X4, (2, 3, 4, 5), X5, (3, 8)), (1, 2)):
        size = shape[-dims:]
        if len(shape) > dims:
            found.append(case("nn.LayerNorm", shape, weights={"bias": size, "weight": size}, elementwise_affine=True, eps=1e-5, normalized_shape=size))
            found.append(case("nn.RMSNorm", shape, weights={"weight": size}, elementwise_affine=True, eps=1e-5, normalized_shape=size))
    found.append(case("nn.LayerNorm", X3, elementwise_affine=False, eps=1e-5, normalized_shape=(6,)))
    found.append(case("nn.LayerNorm", X4, weights={"bias": (4, 5, 6), "weight": (4, 5, 6)}, elementwise_affine=True, eps=1e-5, normalized_shape=(4, 5, 6)))
    found.append(case("nn.RMSNorm", X3, weights={"weight": (6,)}, elementwise_affine=True, eps=NONE, normalized_shape=(6,)))
    stats: dict[int, tuple[Shape, ...]] = {1: ((3, 8), (1, 8), (1, 4, 6), (3, 4, 6)), 2: (X4, (2, 3, 4, 5)), 3: ((1, 3, 2, 4, 5), (2, 3, 2, 4, 5))}
    for rank, shapes in stats.items():
        for shape, affine in product(shapes, (True, False)):
            c = (shape[1],)
            weights = {"running_mean": c, "running_var": c} | ({"weight": c, "bias": c} if affine else {})
            found.append(case(f"nn.BatchNorm{rank}d", shape, weights=weights, affine=affine, eps=1e-4, num_features=shape[1]))
    for shape, groups in (((1, 4, 5, 6), 2), ((2, 4, 5, 6), 2), ((1, 6, 5), 3), ((1, 4, 3, 2, 5), 4), ((3, 4), 2)):
        c = (shape[1],)
        found.append(case("nn.GroupNorm", shape, weights={"weight": c, "bias": c}, affine=True, eps=1e-5, num_channels=shape[1], num_groups=groups))
    for rank, shape in ((1, (1, 4, 6)), (1, (2, 4, 6)), (2, X4), (2, (2, 3, 4, 5)), (3, (1, 3, 2, 4, 5))):
        c = (shape[1],)
        for affine in (True, False):
            found.append(case(f"nn.InstanceNorm{rank}d", shape, weights={"weight": c, "bias": c} if affine else {}, affine=affine, eps=1e-5, num_features=shape[1], track_running_stats=False))
    found.append(case("nn.LocalResponseNorm", X4, alpha=0.3, beta=0.7, k=1.5, size=3))
    found += [case("F.normalize", s, dim=d, p=2.0, eps=1e-12) for s, d in ((X3, 1), (X3, -1), (X4, 1), ((2, 3, 4, 5), -2), (X2, 1))]
    return found


def _poolings() -> list[Case]:
    found: list[Case] = []
    for rank, count, ceil in product((1, 2, 3), (1, 2), (False, True)):
        shape = (count, 3, *(7, 8, 6)[:rank])
        window = {"kernel_size": (3, 2, 3)[:rank], "stride": (2, 2, 1)[:rank], "padding": (1, 0, 1)[:rank], "ceil_mode": ceil}
        found.append(case(f"F.max_pool{rank}d", shape, dilation=(1,) * rank, return_indices=False, **window))
        for include in (True, False):
            extra = {} if rank == 1 else {"divisor_override": NONE}
            found.append(case(f"F.avg_pool{rank}d", shape, count_include_pad=include, **extra, **window))
        for size in ((3, 5, 2)[:rank], (1,) * rank):
            found.append(case(f"F.adaptive_avg_pool{rank}d", shape, output_size=size))
            found.append(case(f"F.adaptive_max_pool{rank}d", shape, output_size=size, return_indices=False))
    return found


def _reductions() -> list[Case]:
    found: list[Case] = []
    for word, shape, dims, keep in product(
        ("sum", "mean", "amax", "amin"), (X3, X4, (2, 3, 4, 5), X5), ((-1,), (1,), (1, 2), (0,), (0, 2)), (True, False)
    ):
        found.append(case(f"torch.{word}", shape, dim=dims, keepdim=keep))
    found += [case("torch.mean", X4, dim=(2, 3), keepdim=k) for k in (True, False)]
    found += [case("torch.logsumexp", X3, dim=(-1,), keepdim=True), case("torch.prod", X3, dim=1, keepdim=False)]
    found += [case("torch.norm", X4, dim=(1,), keepdim=True, p=p) for p in (1, 2)]
    found += [case(f"torch.{w}", X4, dim=(2, 3), keepdim=True, correction=c) for w, c in product(("var", "std"), (0, 1))]
    found += [case("torch.cumsum", s, dim=d) for s, d in ((X3, 1), (X3, -1), (X4, 1), ((2, 3, 4, 5), 0), (X4, -2))]
    return found


def _moves() -> list[Case]:
    found = [case("torch.roll", X4, dims=(2, 3), shifts=(1, -2)), case("torch.roll", X5, dims=(1, 3), shifts=(-1, 1))]
    found += [case("F.pad", s, mode=m, pad=p, value=v) for m, v in (("constant", 1.5), ("reflect", NONE), ("replicate", NONE), ("circular", NONE))
              for s, p in ((X4, (1, 2, 2, 1)), (X3, (2, 1)), ((2, 3, 4, 5), (1, 0, 0, 2)))]
    found += [case("F.pad", X4, mode="constant", pad=p, value=0.0) for p in ((1, 2), (0, 0, 0, 0, 1, 2), (-1, 2), (0, -2, 1, 0))]
    found += [case("nn.ReflectionPad2d", X4, padding=(1, 2, 2, 1)), case("nn.ZeroPad2d", X4, padding=(1, 0, 2, 1))]
    found += [case("Tensor.expand", (1, 4, 1, 6), sizes=(1, 4, 5, 6)), case("Tensor.expand", (4, 1), sizes=(2, 4, 3)), case("Tensor.expand", (1, 1, 6), sizes=(3, -1, -1))]
    found += [case("Tensor.repeat", X3, sizes=(1, 2, 3)), case("torch.tile", X2, dims=(2, 3)), case("Tensor.repeat", X2, sizes=(2, 1, 2))]
    found += [case("torch.repeat_interleave", s, dim=d, repeats=3) for s, d in ((X4, 1), (X3, 2), ((2, 3, 4), 0))]
    found += [case("torch.flip", X4, dims=d) for d in ((1,), (2, 3), (-1,))]
    found += [case("Tensor.index", X4, expr=e) for e in ("[None,[3,0,1]]", "[None,None,None,[5,4,3]]", "[None,None,[0,0,2]]")]
    found += [case("torch.index_select", X4, (3,), dim=2, dtypes=("f32", "i64"), constants=(1,), keys=("input", "index"))]
    found += [case("Tensor.slice_copy", X4, (1, 4, 5, 2), dim=3, start=1, end=2147483647, step=3, keys=("self", "src")),
              case("Tensor.slice_copy", X4, (1, 4, 2, 6), dim=2, start=1, end=3, step=1, keys=("self", "src"))]
    found += [case("nn.Embedding", s, dtypes=("i64",), weights={"weight": (7, 4)}, embedding_dim=4, num_embeddings=7) for s in ((1, 5), (5,), (2, 3))]
    found += [case("F.pixel_shuffle", (n, 8, 3, 2), upscale_factor=2) for n in (1, 2)]
    found += [case("F.pixel_unshuffle", (n, 2, 4, 6), downscale_factor=2) for n in (1, 2)]
    found += [case("nn.ChannelShuffle", (n, 6, 3, 2), groups=3) for n in (1, 2)]
    found += [case("F.unfold", (n, 3, 5, 6), kernel_size=(3, 2), dilation=(1, 1), padding=(1, 0), stride=(2, 1)) for n in (1, 2)]
    found += [case("F.fold", (n, 12, 4), output_size=(4, 4), kernel_size=(2, 2), dilation=(1, 1), padding=(0, 0), stride=(2, 2)) for n in (1, 2)]
    return found


def _resizing() -> list[Case]:
    found: list[Case] = []
    for mode, shape in product(("nearest", "bilinear", "bicubic"), (X4, (2, 3, 4, 5))):
        align = {} if mode == "nearest" else {"align_corners": False}
        found.append(case("F.interpolate", shape, mode=mode, scale_factor=(2.0, 3.0), **align))
        found.append(case("F.interpolate", shape, mode=mode, size=(7, 9), **align))
        if align:
            found.append(case("F.interpolate", shape, mode=mode, size=(7, 9), align_corners=True))
    found += [case("F.interpolate", X3, mode="linear", size=(9,), align_corners=a) for a in (True, False)]
    found += [case("F.interpolate", X3, mode="nearest", scale_factor=(2.0,))]
    found += [case("F.grid_sample", X4, (1, 3, 5, 2), mode=m, padding_mode=p, align_corners=a)
              for m, p, a in product(("bilinear", "nearest"), ("zeros", "border"), (True, False))]
    return found


def _attention() -> list[Case]:
    found: list[Case] = []
    none = {"dropout_p": 0.0, "is_causal": False}
    keys = ("query", "key", "value", "attn_mask")
    for lead in ((1, 2), (2, 3), (3,)):
        q, k = (*lead, 4, 6), (*lead, 5, 6)
        found.append(case("F.scaled_dot_product_attention", q, k, k, keys=keys, attn_mask=NONE, **none))
        found.append(case("F.scaled_dot_product_attention", q, k, k, keys=keys, attn_mask=NONE, scale=0.3, **none))
        for mask in ((4, 5), (*(1,) * len(lead), 4, 5), (*lead, 4, 5), (*lead[:-1], 1, 4, 5), (*lead[:-1], 1, 1, 5)):
            for dtype, constant in product(("f32", "bool"), (True, False)):
                if dtype == "bool" and not constant:
                    continue  # the runtime has no Boolean inputs
                found.append(case("F.scaled_dot_product_attention", q, k, k, mask, keys=keys, dtypes=("f32",) * 3 + (dtype,),
                                  constants=(3,) if constant else (), **none))
        found.append(case("F.scaled_dot_product_attention", q, q, q, keys=keys, attn_mask=NONE, dropout_p=0.0, is_causal=True))
    found.append(case("F.scaled_dot_product_attention", (1, 4, 5, 6), (1, 2, 7, 6), (1, 2, 7, 6), keys=keys, attn_mask=NONE, enable_gqa=True, **none))
    found.append(case("F.scaled_dot_product_attention", (2, 4, 5, 6), (2, 2, 7, 6), (2, 2, 7, 6), keys=keys, attn_mask=NONE, enable_gqa=True, **none))
    whole = {"in_proj_bias": (24,), "in_proj_weight": (24, 8), "out_proj.bias": (8,), "out_proj.weight": (8, 8)}
    how = {"add_bias_kv": False, "add_zero_attn": False, "bias": True, "embed_dim": 8, "num_heads": 2}
    for first, n, outputs in product((True, False), (1, 2), (1, 2)):
        q, k = ((n, 4, 8), (n, 5, 8)) if first else ((4, n, 8), (5, n, 8))
        found.append(case("nn.MultiheadAttention", q, weights=whole, outputs=outputs, batch_first=first, **how))
        found.append(case("nn.MultiheadAttention", q, k, k, weights=whole, outputs=outputs, batch_first=first, **how))
        found.append(case("nn.MultiheadAttention", q, (4, 4), weights=whole, outputs=outputs, batch_first=first, keys=("input", "attn_mask"), constants=(1,), **how))
        found.append(case("nn.MultiheadAttention", q, (2 * n, 4, 4), weights=whole, outputs=outputs, batch_first=first, keys=("input", "attn_mask"), **how))
    return found


def _recurrent() -> list[Case]:
    found: list[Case] = []
    for kind, first, both, layers in product(("RNN", "LSTM", "GRU"), (True, False), (True, False), (1, 2)):
        gates, directions = {"RNN": 1, "LSTM": 4, "GRU": 3}[kind], 1 + both
        weights: dict[str, Shape] = {}
        for number, end in product(range(layers), ("", "_reverse")[:directions]):
            width = 5 if number == 0 else 4 * directions
            weights |= {
                f"weight_ih_l{number}{end}": (4 * gates, width), f"weight_hh_l{number}{end}": (4 * gates, 4),
                f"bias_ih_l{number}{end}": (4 * gates,), f"bias_hh_l{number}{end}": (4 * gates,),
            }
        how = {"batch_first": first, "bidirectional": both, "hidden_size": 4, "input_size": 5, "num_layers": layers, "bias": True}
        how |= {"nonlinearity": "tanh"} if kind == "RNN" else {}
        shape = (1, 6, 5) if first else (6, 1, 5)
        state = (layers * directions, 1, 4)
        found.append(case(f"nn.{kind}", shape, weights=weights, outputs=1, **how))
        found.append(case(f"nn.{kind}", shape, weights=weights, outputs=3 if kind == "LSTM" else 2, **how))
        found.append(case(f"nn.{kind}", shape, *([state] * (2 if kind == "LSTM" else 1)), weights=weights, outputs=3 if kind == "LSTM" else 2, **how))
    return found


def _shapes() -> list[Case]:
    found = [case("Tensor.permute", s, dims=tuple(d)) for s, d in (
        (X2, (1, 0)), (X3, (0, 2, 1)), (X3, (1, 0, 2)), (X4, (0, 2, 3, 1)), (X4, (0, 3, 1, 2)), ((2, 3, 4, 5), (0, 2, 1, 3)), ((2, 3, 4, 5), (3, 1, 0, 2)),
        (X5, (0, 3, 1, 4, 2)), ((1, 2, 3, 2, 4, 3), (0, 1, 3, 2, 4, 5)), ((1, 2, 3, 2, 4, 3), (5, 4, 3, 2, 1, 0)))]
    found += [case("torch.transpose", X4, dim0=a, dim1=b) for a, b in ((1, 2), (-1, -2), (0, 3))]
    found += [case("Tensor.reshape", X4, shape=s) for s in ((1, 4, 30), (4, 30), (120,), (2, 2, 5, 2, 3))]
    found += [case("torch.unbind", (3, 4, 5), dim=d, outputs=n) for d, n in ((0, 3), (1, 4), (-1, 5))]
    found += [case("torch.chunk", (1, 7, 5), chunks=3, dim=1, outputs=3), case("torch.split", (2, 7, 5), dim=1, split_size_or_sections=(3, 4), outputs=2)]
    found += [case("torch.cat", (2, 3, 4), (2, 5, 4), dim=d) for d in (1, -2)]
    found += [case("torch.cat", X5, X5, dim=d) for d in range(5)]
    found += [case("torch.stack", X4, X4, dim=d) for d in (0, 1, 2, 4, -1)]
    found += [case("Tensor.slice", X4, dim=d, start=s, end=e, step=t) for d, s, e, t in ((1, 1, 3, 1), (2, 0, 2147483647, 2), (3, -4, -1, 1), (3, 1, 6, 3))]
    found += [case("Tensor.select", (2, 3, 4, 5), dim=d, index=i) for d, i in ((0, 1), (1, -1), (3, 2))]
    found += [case("pnnx.Expression", *s, expr=e) for e, s in (
        ("add(@0,@1)", (X4, X4)), ("mul(@0,@1)", (X4, (1, 4, 1, 1))), ("sub(@0,@1)", (X4, (6,))), ("div(@0,2.0)", (X4,)),
        ("add(@0,@1)", ((2, 3, 4, 5), (3, 1, 5))), ("sub(@0,@1)", (X5, (2, 1, 1, 4, 3))), ("add(mul(@0,@1),neg(@0))", (X3, (5, 1))),
        ("mul(@0,sigmoid(@0))", (X3,)), ("sqrt(add(square(@0),1.0))", (X4,)))]
    return [c for c in found if "sigmoid(@0)" not in str(c.params)]


def _logic() -> list[Case]:
    found: list[Case] = []
    keys = ("condition", "input", "other")
    for word in ("gt", "lt", "ge", "le", "eq", "ne"):
        found.append(case(f"torch.{word}", X4, other=0.25, made="bool"))
        found.append(case(f"torch.{word}", X4, (1, 4, 1, 6), made="bool"))
    found.append(case("torch.where", X4, X4, X4, dtypes=("bool", "f32", "f32"), keys=keys, constants=(0,)))
    found.append(case("torch.where", (1, 1, 5, 6), X4, dtypes=("bool", "f32"), keys=keys, constants=(0,), other=-1.5))
    found.append(case("Tensor.masked_fill", X4, (5, 6), dtypes=("f32", "bool"), constants=(1,), keys=("input", "mask"), value=-7.0))
    return found


def _selections() -> list[Case]:
    found: list[Case] = []
    for shape, dim in ((X3, 1), (X3, -1), (X4, 1), ((2, 3, 4, 5), 0), ((2, 3, 4, 5), 2), (X2, 0), (X5, 3)):
        found += [case(f"torch.{w}", shape, dim=dim, keepdim=keep, made="i64") for w in ("argmax", "argmin") for keep in (False, True)]
        found += [case(f"torch.{w}", shape, dim=dim, keepdim=keep, outputs=2) for w in ("max", "min") for keep in (False, True)]
        found += [case("torch.sort", shape, dim=dim, descending=d, stable=True, outputs=2) for d in (False, True)]
        found.append(case("torch.argsort", shape, dim=dim, descending=True, stable=True, made="i64"))
    found += [case(f"torch.{w}", X3) for w in ("argmax", "argmin", "max", "min")]
    # Equal elements have no order: the shapes have none of them.
    found += [case("torch.topk", s, k=k, dim=d, largest=big, sorted=True, outputs=2)
              for s, d, k in (((1, 9), -1, 4), ((3, 7), 1, 7), ((5, 3), 0, 2)) for big in (True, False)]
    index = {"dtypes": ("f32", "i64"), "constants": (1,), "keys": ("input", "index")}
    found += [case("torch.gather", s, i, dim=d, **index) for s, i, d in (
        ((1, 6), (1, 4), 1), ((3, 6), (3, 2), -1), ((6,), (9,), 0), ((2, 3, 5), (2, 3, 4), 2), ((6, 1), (3, 1), 0), ((6, 3), (1, 3), 0), ((2, 6, 3), (2, 4, 3), 1), ((1, 6), (1, 1), 1))]
    found += [case("aten::alias", X4)]
    found += [case("Tensor.fill", X4, value=2.5), case("torch.zeros_like", X3), case("torch.ones_like", X4), case("torch.full_like", X3, fill_value=-1.5)]
    found += [case("F.grid_sample", (3, 2, 5, 6), (3, 4, 2, 2), mode="bilinear", padding_mode="zeros", align_corners=False)]
    found += [case("Tensor.to", X4, dtype=f"torch.{long}", made=short) for long, short in (("int64", "i64"), ("bool", "bool"), ("float32", "f32"))]
    return found


CASES: Sequence[Case] = (
    *_activations(),
    *_linear(),
    *_convolutions(),
    *_normalizations(),
    *_poolings(),
    *_reductions(),
    *_moves(),
    *_resizing(),
    *_attention(),
    *_recurrent(),
    *_shapes(),
    *_logic(),
    *_selections(),
)
