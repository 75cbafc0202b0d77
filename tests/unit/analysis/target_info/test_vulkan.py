"""The layers with GPU code."""

import pytest
from ncnn_opt.analysis.islands import islands_of
from ncnn_opt.analysis.target_info.releases import releases
from ncnn_opt.analysis.target_info.vulkan import (
    CONDITIONS,
    facts_of,
    has_implementation,
    reason_for_cpu,
    refusal,
)
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.frontends.param.reading import import_param
from xdsl.dialects.func import FuncOp


def model(*lines: str) -> FuncOp:
    layers = ["Input x 0 1 x 0=8 1=8 2=4", *lines]
    blobs = sum(int(line.split()[3]) for line in layers)
    text = "\n".join(["7767517", f"{len(layers)} {blobs}", *layers]) + "\n"
    return model_of(import_param(text.encode(), "it.param", ReadOptions("none"))[0])


def layer(line: str) -> LayerOp:
    return [op for op in model(line).body.block.ops if isinstance(op, LayerOp)][-1]


def test_each_condition_has_a_predicate() -> None:
    conditions = {fact[2] for name in releases() for fact in facts_of(name) if len(fact) == 3}
    assert conditions == CONDITIONS.keys()


def test_layers_by_release() -> None:
    counts = [sum(kind == "layer" for kind, *_ in facts_of(name)) for name in releases()]
    assert (counts[0], counts[-1]) == (49, 64)
    assert counts == sorted(counts)
    assert not has_implementation("Reduction", "20250916")
    assert has_implementation("Reduction", "20260526")


CONV = "Convolution y 1 1 x y 0=4 1=1 6=16"
GEMM = "Gemm y 1 1 x y 3=1 5=1 6=1 8=4 9=64 10=-1"
MHA = "MultiHeadAttention y 1 1 x y 0=8 1=2 2=64"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (CONV, None),
        (f"{CONV} 8=1", None),
        (f"{CONV} 8=1 18=0.5", "int8 with a padding of other values than 0"),
        (f"{CONV} 18=0.5", None),
        (f"{CONV} 31=16", "its feature mask excludes Vulkan"),
        (f"{CONV} 31=1", None),
        ("Exp y 1 1 x y", "the type has no GPU implementation"),
        (f"{MHA} 18=400", "int8 or quantized weights"),
        (f"{GEMM} 18=400", None),
    ],
)
def test_the_reason_for_the_cpu(line: str, reason: str | None) -> None:
    assert reason_for_cpu(layer(line)) == reason


def test_a_gemm_with_blocks_is_refused_in_the_newest_release() -> None:
    assert refusal(layer(f"{GEMM} 18=400")) == "weights quantized in blocks"
    assert refusal(layer(f"{GEMM} 18=400 31=16")) is None
    assert refusal(layer(GEMM)) is None
    assert refusal(layer(f"{MHA} 18=400")) is None
    assert reason_for_cpu(layer(f"{GEMM} 18=2"), "20250916") == "int8 or quantized weights"


def test_islands() -> None:
    func = model(
        "ReLU a 1 1 x a",
        "Sigmoid b 1 1 a b",
        "Exp c 1 1 b c",
        "Exp d 1 1 c d",
        "ReLU e 1 1 d e",
    )
    found = islands_of(func)
    assert [[op.label() for op in island] for island in found.gpu] == [
        ["ReLU 'a'", "Sigmoid 'b'"],
        ["ReLU 'e'"],
    ]
    assert found.transfers == 2
    assert found.lines() == [
        "3 layers on the GPU in 2 islands, 2 layers on the CPU, 2 transferred blobs",
        "island 1: 2 layers, ReLU 'a' to Sigmoid 'b'",
        "island 2: 1 layers, ReLU 'e'",
        "Exp 'c' runs on the CPU: the type has no GPU implementation",
        "Exp 'd' runs on the CPU: the type has no GPU implementation",
    ]


def test_branches_are_one_island() -> None:
    func = model("Split s 1 2 x a b", "ReLU c 1 1 a c", "Sigmoid d 1 1 b d", "BinaryOp e 2 1 c d e")
    assert islands_of(func).lines()[0].startswith("4 layers on the GPU in 1 islands, 0 layers")
