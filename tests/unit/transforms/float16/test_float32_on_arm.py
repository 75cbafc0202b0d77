"""Float32 storage on arm for layers that overflow there, and models nearby that get none."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from float16_nets import func_of, write_net
from ncnn_opt.analysis.float32_storage import FLOAT32_STORAGE
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.lookup import layers_of, model_of
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.frontends.param.model_reader import import_param
from ncnn_opt.tools.ncnn_opt_main import main
from ncnn_opt.transforms.float16_safety.float16_errors import Float16Evaluator
from ncnn_opt.transforms.float16_safety.float32_on_arm import IN_FLOAT32, mask_inaccurate_on_arm
from ncnn_opt.transforms.float16_safety.masks import with_float32_arithmetic
from ncnn_opt.transforms.float16_safety.safety import Safety, make_safe
from xdsl.dialects.func import FuncOp

LARGE = "BinaryOp a 1 1 x a 0=2 1=1 2=1e4"
X = np.array([1, 2, 3, 30], "f4")


def shapes(func: FuncOp) -> list[str]:
    """The types and masks of the layers that are no weights."""
    ops = [op for op in layers_of(func) if op.operands]
    return [f"{op.LAYER_TYPE} {op.featmask}" for op in ops]


def safe(*lines: str, x: np.ndarray = X) -> tuple[FuncOp, Safety]:  # pyright: ignore
    func = func_of(*lines)
    return func, make_safe(func, [("a", {"x": x})])


def sdpa(scale: float, params: str = "") -> FuncOp:
    lines = [
        "7767517",
        "4 4",
        "Input q 0 1 q 0=8 1=6 2=2",
        "Input k 0 1 k 0=8 1=6 2=2",
        "Input v 0 1 v 0=8 1=6 2=2",
        f"SDPA y 3 1 q k v y 6={scale}{params}",
    ]
    return model_of(import_param(("\n".join(lines) + "\n").encode(), "it", ReadOptions("none"))[0])


def qkv(factor: float) -> Sequence[tuple[str, dict[str, np.ndarray]]]:  # pyright: ignore
    r = np.random.default_rng(0)
    q, k, v = (r.standard_normal((2, 6, 8)).astype("f4") for _ in range(3))
    return [("a", {"q": q * factor, "k": k * factor, "v": v})]


def test_each_blob_of_an_attention_gets_a_permute() -> None:
    func = sdpa(1.0)
    safety = make_safe(func, qkv(400))
    assert shapes(func) == ["Permute 16"] * 3 + [f"SDPA {IN_FLOAT32}"]
    assert safety.on_arm < 0.01
    assert safety.lines()[-2:] == [
        "3 Permutes inserted: they write float32 on arm for layers with mask 19",
        "within 0.01 of float32 on a GPU and on arm",
    ]


def test_logits_within_float16_need_no_storage() -> None:
    func = sdpa(1.0)
    make_safe(func, qkv(1))
    assert shapes(func) == ["SDPA 0"]


def test_logits_that_a_gpu_stores_need_float32_on_arm_too() -> None:
    """Bit 0 of the mask does not help there."""
    func = sdpa(1.0)
    (op,) = (op for op in layers_of(func) if op.operands)
    evaluator, _ = Float16Evaluator.of(func, qkv(400), 1)
    for bits, broken in ((0, True), (1, True), (17, True), (19, False)):
        op.featmask = bits
        assert np.isinf(evaluator.on("arm").error()) == broken, bits


def long_sum(folder: Path) -> tuple[FuncOp, list[tuple[str, dict[str, np.ndarray]]]]:  # pyright: ignore
    param, data = write_net(folder, "roundings")
    func = model_of(read_model(str(param)).module)
    return func, [(str(i), {"in0": x}) for i, x in enumerate(np.load(data))]


def test_roundings_that_exceed_the_bound_together(tmp_path: Path) -> None:
    """No layer breaks by itself, and a GPU needs no mask: the layer with most of the error computes
    in float32."""
    func, samples = long_sum(tmp_path)
    safety = make_safe(func, samples, max_error=1e-2)
    assert shapes(func) == ["InnerProduct 1", "ReLU 0", "InnerProduct 0"]
    assert safety.before < 0.005 < 0.01 < safety.before_on_arm
    assert safety.on_arm < 0.002
    assert safety.masks == [("InnerProduct 'long'", 1)]
    assert safety.broken_on_arm == []


def test_arm_within_the_bound_gets_no_masks(tmp_path: Path) -> None:
    func, samples = long_sum(tmp_path)
    make_safe(func, samples, max_error=2e-2)
    assert shapes(func) == ["InnerProduct 0", "ReLU 0", "InnerProduct 0"]


def test_storage_that_exceeds_the_bound_gets_no_masks_for_arm(tmp_path: Path) -> None:
    func, samples = long_sum(tmp_path)
    arm = Float16Evaluator.of(func, samples, 1)[0].on("arm")
    stored = with_float32_arithmetic(arm).error()
    assert not mask_inaccurate_on_arm(arm, stored * 0.9).before
    assert shapes(func) == ["InnerProduct 0", "ReLU 0", "InnerProduct 0"]
    assert mask_inaccurate_on_arm(arm, stored * 2).before


def test_a_layer_that_reads_float32_directly_has_no_permute() -> None:
    func, _ = safe(LARGE, "BinaryOp y 1 1 a y 0=2 1=1 2=1e-4")
    assert shapes(func) == ["Permute 16", "BinaryOp 19", "BinaryOp 19"]


def test_a_blob_with_several_readers_has_a_split_of_float32() -> None:
    func, safety = safe(
        LARGE,
        "Split s 1 2 a a1 a2",
        "BinaryOp b 1 1 a1 b 0=2 1=1 2=1e-4",
        "BinaryOp c 1 1 a2 c 0=2 1=1 2=2e-4",
        "BinaryOp y 2 1 b c y 0=0",
    )
    assert shapes(func) == [
        "Permute 16",
        "BinaryOp 19",
        "Split 19",
        *["BinaryOp 19"] * 2,
        "BinaryOp 0",
    ]
    assert safety.on_arm < 0.01


def test_an_earlier_split_of_an_input_has_permutes_behind() -> None:
    """The readers of one Split read float16."""
    func, safety = safe(
        "Split s 1 2 x x1 x2",
        "BinaryOp a 1 1 x1 a 0=2 1=1 2=1e4",
        "BinaryOp b 1 1 a b 0=2 1=1 2=1e-4",
        "BinaryOp y 2 1 b x2 y 0=0",
    )
    assert shapes(func) == ["Split 0", "Permute 16", "BinaryOp 19", "BinaryOp 19", "BinaryOp 0"]
    assert safety.on_arm < 0.01


def test_float32_storage_without_a_permute_misreads() -> None:
    lines = ("Sigmoid s 1 1 x s", "BinaryOp y 1 1 s y 0=0 1=1 2=1 31=19")
    evaluator, _ = Float16Evaluator.of(func_of(*lines), [("a", {"x": X})], 1)
    assert np.isinf(evaluator.on("arm").error())
    lines = (lines[0], "Permute p 1 1 s p", lines[1].replace(" s y", " p y"))
    evaluator, _ = Float16Evaluator.of(func_of(*lines), [("a", {"x": X})], 1)
    assert evaluator.on("arm").error() < 0.01


def test_an_attention_with_a_cache_has_no_remedy_and_is_named() -> None:
    """An empty cache is no blob that a Permute reads."""
    names = ["q", "k", "v", "pk", "pv"]
    lines = [f"Input {name} 0 1 {name} 0=8 1=6 2=2" for name in names]
    lines.append("SDPA y 5 3 q k v pk pv y ck cv 6=1.0 7=1")
    text = "\n".join(["7767517", "6 8", *lines, ""])
    func = model_of(import_param(text.encode(), "it", ReadOptions("none"))[0])
    ((_, inputs),) = qkv(400)
    past = {"pk": inputs["k"][:, :3], "pv": inputs["v"][:, :3]}
    safety = make_safe(func, [("a", {**inputs, **past})])
    assert shapes(func) == ["SDPA 17"]
    assert safety.lines()[-3:] == [
        "emulated error on arm inf -> inf",
        "SDPA 'y': overflows or loses accuracy on arm, and no remedy was found",
        "within 0.01 of float32 on a GPU, not on arm",
    ]


def test_passes_keep_the_permute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of three equal blobs, which would become one with a Split."""
    monkeypatch.chdir(tmp_path)
    param, data = write_net(tmp_path, "attention")
    main([str(param), "-o", "safe.param", "--fp16-safe", "--data", str(data), "-q"])
    main(["-O", "safe.param", "-o", "again.param", "-q"])
    kept = shapes(model_of(read_model("again.param").module))
    assert kept[:2] == ["Permute 16", f"MultiHeadAttention {IN_FLOAT32}"]
    layers = """7767517
5 7
Input x 0 1 x 0=8 1=6
Split s 1 2 x x1 x2
Permute p1 1 1 x1 a 31=16
Permute p2 1 1 x2 b 31=16
BinaryOp y 2 1 a b y 0=2 31={bits}
"""
    for bits, expected in ((IN_FLOAT32, 3), (FLOAT32_STORAGE, 3), (17, 1), (0, 1)):
        Path("two.param").write_text(layers.format(bits=bits))
        Path("two.bin").write_bytes(b"")
        main(["-O", "two.param", "-o", "twice.param", "-q"])
        left = [op for op in layers_of(model_of(read_model("twice.param").module)) if _reads(op)]
        assert len(left) == expected, bits


def _reads(op: LayerOp) -> bool:
    return bool(op.operands) and op.LAYER_TYPE != "Split"
