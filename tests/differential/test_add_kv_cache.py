"""`add-kv-cache` and `fuse-kv-cache`: calls of a few steps each compute what one call of the model
without a cache computes of all steps."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.runtime.host import Array
from ncnn_opt.runtime.process import Decoded, Failure, Runtime
from ncnn_opt.tools.ncnn_opt_main import main

from .decoders import TABLES, decoder
from .decoding import causal, decoded, parts
from .nets import Net, layer_types
from .test_decoders import OUTPUT, STEPS, error, release, rows

assert release  # the fixture

COUNT = sum(STEPS)
NAMES = {f"cache_{kind}{i}": f"out_cache_{kind}{i}" for i in range(2) for kind in "kv"}


def converted(source: Path, *options: str) -> Path:
    out = source.with_name("cached.param")
    main(["-q", "--add-kv-cache", *options, str(source), "-o", str(out)])
    return out


def reference(runtime: Runtime, source: Path, inputs: dict[str, Array], output: str) -> Array:
    return decoded(runtime, source, [inputs], {}, output)


def test_any_length(release: Runtime, tmp_path: Path) -> None:
    source = decoder(2, cached=False).write(tmp_path)
    out = converted(source)
    whole = reference(release, source, rows() | {"mask": causal(0, COUNT)}, OUTPUT)
    assert error(whole, decoded(release, out, parts(STEPS, rows(), "mask"), NAMES, OUTPUT)) < 1e-5
    text = out.read_text()
    main(["-q", "--add-kv-cache", str(out), "-o", str(tmp_path / "again.param")])
    assert (tmp_path / "again.param").read_text() == text
    inputs = [line.split() for line in text.splitlines() if line.startswith("Input ")]
    assert inputs[-1][:4] == ["Input", "kv_cache", "0", "4"]


@pytest.mark.parametrize(("steps", "tables"), [(1, False), (5, False), (5, True)])
def test_exported_for_some_steps(
    steps: int, tables: bool, release: Runtime, tmp_path: Path
) -> None:
    source = decoder(2, cached=False, steps=steps, tables=tables).write(tmp_path)
    (tmp_path / "any").mkdir()
    free = decoder(2, cached=False).write(tmp_path / "any")
    own, others = (path.with_suffix(".bin") for path in (free, source))
    own.write_bytes(others.read_bytes()[-own.stat().st_size :])  # the tables come first
    out = converted(source)
    assert "MemoryData" not in layer_types(out)
    inputs = rows() | {name: TABLES[name](COUNT, 4) for name in ("cos", "sin")}
    whole = reference(release, free, inputs | {"mask": causal(0, COUNT)}, OUTPUT)
    assert error(whole, decoded(release, out, parts(STEPS, inputs, "mask"), NAMES, OUTPUT)) < 1e-5


def test_other_names(tmp_path: Path) -> None:
    source = decoder(2, cached=False).write(tmp_path)
    names = "cache_k_in_#,cache_v_in_#,cache_k_out_#,cache_v_out_#"
    text = converted(source, "--cache-names", names).read_text()
    assert "cache_k_in_0 cache_v_in_0 cache_k_in_1 cache_v_in_1" in text
    assert "cache_k_out_1 cache_v_out_1" in text


WIDTH, ENCODED = 16, 6


def translator(kind: str, heads: int = 2) -> Net:
    """A decoder whose self-attention and cross-attention are MultiHeadAttention layers, the latter
    with some heads, or whose cross-attention is an SDPA."""
    net = Net(3)
    net.input("x", (4, WIDTH), declared=False)
    net.input("encoded", (ENCODED, WIDTH), declared=False)
    net.input("mask", (4, 4), declared=False)
    net.layer("Split", "x", ["x0", "x1", "x2", "x3"])
    y = _multi_head(net, ["x0", "x1", "x2", "mask"], "own", 1)
    net.layer("BinaryOp", ["x3", y], "first", {0: 0})
    net.layer("Split", "first", ["f0", "f1"])
    net.layer("Split", "encoded", ["e0", "e1"])
    if kind == "MultiHeadAttention":
        y = _multi_head(net, ["f0", "e0", "e1"], "cross", 0, heads)
    else:
        q, k, v = (_heads(net, x, name) for x, name in (("f0", "q"), ("e0", "k"), ("e1", "v")))
        y = net.layer("SDPA", [q, k, v], "cross_heads", {})
        y = net.layer("Permute", y, "cross_rows", {0: 2})
        y = net.layer("Reshape", y, "cross", {0: WIDTH, 1: -1})
    net.layer("BinaryOp", ["f1", y], "out", {0: 0})
    return net


def _multi_head(net: Net, inputs: Sequence[str], name: str, masked: int, heads: int = 2) -> str:
    for _ in range(4):
        net.tagged(net.normal(WIDTH, WIDTH, scale=0.5))
        net.plain(net.normal(WIDTH))
    params = {0: WIDTH, 1: heads, 2: WIDTH**2, 5: masked}
    return net.layer("MultiHeadAttention", inputs, name, params)


def _heads(net: Net, x: str, name: str) -> str:
    net.tagged(net.normal(WIDTH, WIDTH, scale=0.5))
    params = {3: 1, 5: 1, 6: 1, 8: WIDTH, 9: WIDTH, 10: -1}
    x = net.layer("Gemm", x, f"{name}_gemm", params)
    x = net.layer("Reshape", x, f"{name}_split", {0: 8, 1: 2, 2: -1})
    return net.layer("Permute", x, name, {0: 2})


@pytest.mark.parametrize("kind", ["MultiHeadAttention", "SDPA"])
def test_cross_attention(kind: str, release: Runtime, tmp_path: Path) -> None:
    source = translator(kind).write(tmp_path)
    out = converted(source)
    inputs = translated()
    x, encoded = inputs["x"], inputs["encoded"]
    whole = reference(
        release, source, {"x": x, "encoded": encoded, "mask": causal(0, COUNT)}, "out"
    )
    calls = parts(STEPS, {"x": x}, "mask")
    grown = {f"cache_{each}0": f"out_cache_{each}0" for each in "kv"}
    if kind == "SDPA":  # one call for the encoder's keys and values, then they are inputs
        outputs = ["out_cache_k1", "out_cache_v1"]
        first = release.run(out, {"encoded": encoded}, outputs)
        assert isinstance(first, dict)
        fixed = {"cache_k1": first[outputs[0]], "cache_v1": first[outputs[1]]}
        caches = grown
    else:
        fixed, caches = {"encoded": encoded}, NAMES
    found = decoded(release, out, [call | fixed for call in calls], caches, "out")
    assert error(whole, found) < 1e-5


CROSS = "cache_k1", "cache_v1", "out_cache_k1", "out_cache_v1"


def translated() -> dict[str, Array]:
    """The inputs of a decoder with cross-attention, for all steps."""
    rng = np.random.default_rng(1)
    x, encoded = (rng.standard_normal((n, WIDTH)).astype("f4") * 2 for n in (COUNT, ENCODED))
    return {"x": x, "encoded": encoded}


def test_cross_attention_of_four_heads_has_no_cache(release: Runtime, tmp_path: Path) -> None:
    """With one, the runtime would crash, see the next test."""
    source = translator("MultiHeadAttention", 4).write(tmp_path)
    out = converted(source)
    assert not any(name in out.read_text() for name in CROSS)
    inputs = translated()
    whole = reference(release, source, inputs | {"mask": causal(0, COUNT)}, "out")
    calls = [
        call | {"encoded": inputs["encoded"]} for call in parts(STEPS, {"x": inputs["x"]}, "mask")
    ]
    grown = {f"cache_{each}0": f"out_cache_{each}0" for each in "kv"}
    assert error(whole, decoded(release, out, calls, grown, "out")) < 1e-5


def test_the_runtime_crashes_with_such_a_cache(tmp_path: Path) -> None:
    """If this fails with a newer release, the pass may add this cache."""
    out = converted(translator("MultiHeadAttention", 4).write(tmp_path))
    lines = out.read_text().splitlines()
    (line,) = [each for each in lines if each.split()[:2] == ["MultiHeadAttention", "cross"]]
    fields = line.split()
    assert fields[2:4] == ["3", "1"]
    own, named = fields[4:7], [each for each in fields[8:] if not each.startswith("7=")]
    cached = [
        "MultiHeadAttention cross 5 3",
        *own,
        *CROSS[:2],
        fields[7],
        *CROSS[2:],
        *named,
        "7=1",
    ]
    head, counts, *layers = out.read_text().replace(line, " ".join(cached)).splitlines()
    count, blobs = map(int, counts.split())
    layers.insert(0, f"Input past 0 2 {CROSS[0]} {CROSS[1]}")
    out.write_text("\n".join([head, f"{count + 1} {blobs + 4}", *layers, ""]))
    inputs = translated()
    calls = [
        call | {"encoded": inputs["encoded"]} for call in parts(STEPS, {"x": inputs["x"]}, "mask")
    ]
    with Runtime() as runtime:
        assert isinstance(runtime.decode(out, calls[:1], NAMES, ["out"]), Decoded)
        found = runtime.decode(out, calls, NAMES, ["out"])
    assert isinstance(found, Failure)
    assert "crashed" in found.reason


def test_spelled_out_cache(release: Runtime, tmp_path: Path) -> None:
    net = Net(5)
    for name in ("q", "k", "v"):
        net.input(name, (2, 4, 8), declared=False)
    net.input("mask", (4, 4), declared=False)
    for name in ("past_k", "past_v"):
        net.input(name, (2, 4, 8), declared=False)
    # The rank of the new heads is certain behind a Reshape.
    heads = {n: net.layer("Reshape", n, f"{n}_heads", {0: 8, 1: -1, 2: 2}) for n in ("q", "k", "v")}
    for n in "kv":
        net.layer("Concat", [f"past_{n}", heads[n]], f"all_{n}", {0: 1})
        net.layer("Split", f"all_{n}", [f"all_{n}_0", f"all_{n}_1"])
    net.layer("SDPA", [heads["q"], "all_k_0", "all_v_0", "mask"], "y", {5: 1})
    net.layer("AbsVal", "y", "out")
    source, out = net.write(tmp_path), tmp_path / "fused.param"
    main(["-q", "--fuse-kv-cache", str(source), "-o", str(out)])
    assert "Concat" not in layer_types(out)
    rng = np.random.default_rng(2)
    q, k, v = (rng.standard_normal((2, COUNT, 8)).astype("f4") for _ in range(3))
    calls, wanted, past = list[dict[str, Array]](), list[Array](), 0
    for steps in STEPS:
        new = slice(past, past + steps)
        calls.append({"q": q[:, new], "k": k[:, new], "v": v[:, new], "mask": causal(past, steps)})
        if past:
            fed = calls[-1] | {"past_k": k[:, :past], "past_v": v[:, :past]}
            blobs = release.run(source, fed, ["out"])
            assert isinstance(blobs, dict)
            wanted.append(blobs["out"])
        past += steps
    names = {"past_k": "all_k_1", "past_v": "all_v_1"}
    found = release.decode(out, calls, names, ["out"])
    for a, b in zip(wanted, found.blobs[1:], strict=True):  # pyright: ignore
        assert error(a, b["out"]) < 1e-5


NO_MASK = (
    "SDPA 'cross_heads' has no mask, so that it is not causal; only attention that hides later "
    "steps can have a cache"
)


def test_an_encoder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    net = Net(1)
    net.input("x", (4, WIDTH))
    net.layer("Split", "x", ["x0", "x1", "x2"])
    q, k, v = (_heads(net, f"x{i}", name) for i, name in enumerate("qkv"))
    net.layer("SDPA", [q, k, v], "cross_heads", {})
    source, out = net.write(tmp_path), tmp_path / "out.param"
    with pytest.raises(SystemExit):
        main(["-q", "--add-kv-cache", str(source), "-o", str(out)])
    assert NO_MASK in capsys.readouterr().err
    assert not out.exists()
