"""Bundles of embedding, decoder and head, made without PyTorch: decoding step by step gives the
logits of one call for all tokens."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.driver.bundles.bundle_runtime import Bundle
from ncnn_opt.driver.bundles.manifest import (
    FILE,
    BundleInput,
    BundleManifest,
    RotaryAngles,
    causal_mask,
)
from ncnn_opt.driver.bundles.parts import write_embedding, write_head
from ncnn_opt.driver.errors import UsageError
from ncnn_opt.runtime.host import Array
from ncnn_opt.runtime.process import Runtime
from ncnn_opt.tools.ncnn_opt_main import main
from ncnn_opt.tools.ncnn_run_main import main as run

from .decoders import FEATURES, WIDTH, decoder

WORDS = 40
FREQUENCIES = [1.0, 0.5, 0.25, 0.125]
FILES = {part: (f"{part}.param", f"{part}.bin") for part in ("embed_token", "decoder", "proj_out")}
INPUTS = {
    "embed_token": [BundleInput("in0", "tokens")],
    "decoder": [
        BundleInput("x", "hidden"),
        BundleInput("mask", "mask"),
        BundleInput("cos", "cos"),
        BundleInput("sin", "sin"),
    ],
    "proj_out": [BundleInput("in0", "hidden")],
}


def normal(seed: int, *shape: int) -> Array:
    return np.random.default_rng(seed).standard_normal(shape).astype("f4")


def manifest(*tokens: BundleInput, window: int | None = None) -> BundleManifest:
    inputs = INPUTS | ({"embed_token": [*tokens]} if tokens else {})
    own = [
        BundleInput("mask", "mask", window) if i.role == "mask" else i for i in inputs["decoder"]
    ]
    return BundleManifest(
        FILES, inputs | {"decoder": own}, 2, [RotaryAngles(FREQUENCIES)], {}, None
    )


def bundle(folder: Path, described: BundleManifest, factor: float, positions: Array | None) -> Path:
    """A bundle; the decoder without a cache stays beside it."""
    write_embedding(folder / "embed_token.param", normal(1, WORDS, WIDTH), factor, positions)
    write_head(folder / "proj_out.param", normal(2, WORDS, WIDTH), normal(3, WORDS))
    net = decoder(2, cached=False)
    # The output of a bundle's decoder is out0.
    net.layer("Noop", "fed1", "out0")
    whole = net.write(folder, "whole")
    main(["-q", "--add-kv-cache", str(whole), "-o", str(folder / "decoder.param")])
    (folder / FILE).write_text(described.text())
    return whole


@pytest.mark.parametrize(
    ("factor", "learned", "window"), [(1.0, False, None), (3.0, True, None), (1.0, False, 4)]
)
def test_logits(factor: float, learned: bool, window: int | None, tmp_path: Path) -> None:
    positions = normal(4, 30, WIDTH) if learned else None
    tokens = [BundleInput("in0", "tokens"), BundleInput("in1", "positions")] if learned else []
    whole = bundle(tmp_path, manifest(*tokens, window=window), factor, positions)
    ids = [int(i) for i in np.random.default_rng(5).integers(0, WORDS, 13)]
    found = Bundle(tmp_path).logits(ids, 6)
    hidden = normal(1, WORDS, WIDTH)[ids] * np.float32(factor)
    hidden = hidden if positions is None else hidden + positions[: len(ids)]
    angles = np.outer(np.arange(13), FREQUENCIES).astype("f4")
    inputs = {
        "x": hidden,
        "cos": np.cos(angles),
        "sin": np.sin(angles),
        "mask": causal_mask(13, window),
    }
    with Runtime() as runtime:
        blobs = runtime.run(whole, inputs, ["out0"])
    assert isinstance(blobs, dict)
    expected = blobs["out0"] @ normal(2, WORDS, WIDTH).T + normal(3, WORDS)
    np.testing.assert_allclose(found.values, expected, atol=1e-4 * np.abs(expected).max())
    assert len(found.decoded.seconds) == 8


def test_greedy_decoding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bundle(tmp_path, manifest(), 1.0, None)
    run([str(tmp_path), "--decode", "6", "--tokens", "3,1,4", "--compare", "full"])
    tokens, prefill, decode, caches, passed = capsys.readouterr().out.splitlines()
    found = [int(word) for word in tokens.removeprefix("tokens: ").split()]
    logits = Bundle(tmp_path).logits([3, 1, 4, *found[:-1]], 3).values
    assert found == logits[2:].argmax(1).tolist()
    assert len({*found}) > 1
    assert prefill.startswith("prefill, 3 tokens: ")
    assert decode.startswith("decode, 5 steps, each: ")
    assert caches == f"caches: {2 * 2 * 8 * 2 * WIDTH * 4:,} bytes for 8 tokens"
    assert passed.startswith("PASSED: agrees with one call for all tokens: largest error of logits")
    assert "6 of 6 tokens" in passed


def test_another_bundle(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for folder in (ours, theirs):
        folder.mkdir()
        bundle(folder, manifest(), 1.0, None)
    np.save(tmp_path / "prompt.npy", np.asarray([5, 6]))
    words = [str(ours), "--decode", "4", "--tokens", str(tmp_path / "prompt.npy"), "--compare"]
    run([*words, str(theirs), "-o", str(tmp_path / "out.npz")])
    assert "PASSED: agrees with" in capsys.readouterr().out
    with np.load(tmp_path / "out.npz") as out:
        assert out["tokens"].shape == (4,)
        assert out["logits"].shape == (5, WORDS)
    write_head(theirs / "proj_out.param", normal(7, WORDS, WIDTH), normal(3, WORDS))
    with pytest.raises(SystemExit, match="1"):
        run([*words, str(theirs)])
    assert "FAILED: differs from" in capsys.readouterr().out


def test_random_tokens(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bundle(tmp_path, manifest(), 1.0, None)
    run([str(tmp_path), "--decode", "5+2", "--seed", "1", "--repeat", "2"])
    assert "prefill, 5 tokens: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--decode 2", "there is no prompt: give --tokens"),
        ("--decode 0 --tokens 1", "takes STEPS or PREFILL"),
        ("--decode x --tokens 1", "takes STEPS or PREFILL"),
        ("--decode 2+2 --tokens 1", "the steps after the prompt only: --decode 2"),
        ("--decode 0+2", "there is no prompt"),
        ("--decode 2 --tokens 1,x", "takes ids with commas"),
        ("--decode 2 --tokens 1,40", "there is no token 40: ids are 0 to 39"),
        ("--decode 2 --tokens none.npy", "none.npy"),
        ("--decode 2 --tokens {}/empty.npy", "empty.npy: this is not a file of arrays"),
        ("--decode 2 --tokens {}/floats.npy", "a .npy of integers in one dimension"),
        ("--decode 2 --prompt a", "has no tokenizer.json"),
        ("--decode 2 --prompt a --tokens 1", "both the prompt"),
        ("--decode 2 --tokens 1 --input random", "reads no encoder's output; omit --input"),
        ("--decode 2 --tokens 1 --compare ncnn", "full or another model"),
        ("--decode 2 --tokens 1 --compare none", "none/model.json"),
    ],
)
def test_bad_prompts(
    words: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bundle(tmp_path, manifest(), 1.0, None)
    (tmp_path / "empty.npy").touch()
    np.save(tmp_path / "floats.npy", np.ones(3))
    with pytest.raises(SystemExit, match="1"):
        run([str(tmp_path), *words.format(tmp_path).split()])
    assert message in capsys.readouterr().err


def test_a_folder_is_optimized(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The parts of a bundle, of which two have one `.bin`, with their description and tokenizer."""
    ours, fast = tmp_path / "ours", tmp_path / "fast"
    ours.mkdir()
    described = manifest()
    bundle(ours, described, 1.0, None)
    (ours / "whole.param").unlink()
    write_head(ours / "proj_out.param", normal(1, WORDS, WIDTH), None)
    (ours / "proj_out.bin").unlink()
    files = {**FILES, "proj_out": ("proj_out.param", "embed_token.bin")}
    data = json.loads(replace(described, files=files).text())
    data["tokenizer"] = {"type": "bbpe", "vocab_file": "vocab.txt", "merges_file": "none.txt"}
    (ours / FILE).write_text(json.dumps(data))
    (ours / "vocab.txt").write_text("a\nb\n")
    with pytest.raises(SystemExit, match="0"):
        main(["-O", str(ours), "--output-dir", str(fast)])
    assert sorted(path.name for path in fast.glob("[!.]*") if path.name != FILE) == [
        *("decoder.bin", "decoder.param", "embed_token.bin", "embed_token.param"),
        *("proj_out.param", "vocab.txt"),
    ]
    assert json.loads((fast / FILE).read_text()) == data
    run([str(fast), "--decode", "4", "--tokens", "1,2", "--compare", str(ours)])
    assert "PASSED" in capsys.readouterr().out


def test_a_folder_with_another_description(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bundle(tmp_path, manifest(), 1.0, None)
    (tmp_path / FILE).write_text("{")
    with pytest.raises(SystemExit, match="1"):
        main(["-O", str(tmp_path), "--output-dir", str(tmp_path / "fast")])
    assert "model.json: Expecting property name" in capsys.readouterr().err
    assert not (tmp_path / "fast").exists()


@pytest.mark.parametrize("name", ["../embed_token.param", "/tmp/x.param", "..", ""])
def test_parts_beside_the_folder(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A description cannot name files outside of its folder: outputs of their names would go."""
    ours = tmp_path / "ours"
    ours.mkdir()
    bundle(ours, manifest(), 1.0, None)
    data = json.loads(manifest().text())
    data["params"]["proj_out_param"] = name
    (ours / FILE).write_text(json.dumps(data))
    with pytest.raises(SystemExit, match="1"):
        main(["-O", str(ours), "--output-dir", str(tmp_path / "fast")])
    assert f"'{name}' is not the name of a file beside it" in capsys.readouterr().err
    assert not (tmp_path / "fast").exists()
    with pytest.raises(UsageError, match="is not the name of a file beside it"):
        BundleManifest.read(ours)


def test_windows() -> None:
    seen = causal_mask(5, 2) == 0
    assert seen.tolist() == [[0 <= i - j < 2 for j in range(5)] for i in range(5)]
    assert (causal_mask(5, None) == 0).tolist() == np.tri(5, dtype=bool).tolist()


def test_description(tmp_path: Path) -> None:
    described = manifest(window=4)
    (tmp_path / FILE).write_text(described.text())
    assert BundleManifest.read(tmp_path) == described
    data = json.loads(described.text())
    assert data["params"]["decoder_param"] == "decoder.param"
    assert data["setting"] == {
        "attn_cnt": 2,
        "rope": {"rope_head_dim": FEATURES, "type": "frequencies"},
    }


def test_description_of_two_rotations(tmp_path: Path) -> None:
    """Layers with windows may rotate by other angles, of fewer features."""
    described = manifest()
    described.rotations.append(RotaryAngles([*FREQUENCIES][:-1], 2.0))
    turns = [BundleInput(f"{role}{i}", role, rotation=i) for i in (1, 0) for role in ("cos", "sin")]
    described.inputs["decoder"] += turns
    (tmp_path / FILE).write_text(described.text())
    found = BundleManifest.read(tmp_path)
    assert found == described
    assert json.loads(described.text())["setting"]["rope"]["rope_head_dim"] == FEATURES
    assert found.given("decoder", 3)["cos1"].shape[-1] < FEATURES / 2


def test_description_of_another_program(tmp_path: Path) -> None:
    params = {f"{part}_{kind}": f"{part}.{kind}" for part in FILES for kind in ("param", "bin")}
    rope = {"type": "RoPE", "rope_head_dim": 4, "rope_theta": 100.0}
    data = {"params": params, "setting": {"attn_cnt": 2, "rope": rope}}
    (tmp_path / FILE).write_text(json.dumps(data))
    found = BundleManifest.read(tmp_path)
    assert [each.role for each in found.inputs["decoder"]] == ["hidden", "mask", "cos", "sin"]
    assert found.rotations[0].inv_freq == pytest.approx([1.0, 0.1])
    cos, sin = found.rotations[0].tables([0, 3])
    np.testing.assert_allclose(cos, np.cos([[0, 0], [3, 0.3]]), atol=1e-6)
    np.testing.assert_allclose(sin, np.sin([[0, 0], [3, 0.3]]), atol=1e-6)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"params": {}, "setting": {}}', '{"params": 1}', "\ud800"]
)
def test_other_files(text: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(text.encode(errors="surrogatepass"))
    with pytest.raises(UsageError, match="model.json"):
        BundleManifest.read(tmp_path)
