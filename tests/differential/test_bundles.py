"""Bundles of embedding, decoder and head, made without PyTorch: decoding step by step gives the
logits of one call for all tokens."""

import json
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.driver.bundles.manifest import FILE, Input, Manifest, Rotation, causal_mask
from ncnn_opt.driver.bundles.parts import write_embedding, write_head
from ncnn_opt.driver.bundles.running import Bundle
from ncnn_opt.driver.errors import UsageError
from ncnn_opt.runtime.process import Array, Runtime
from ncnn_opt.tools.ncnn_opt_main import main

from .decoders import FEATURES, WIDTH, decoder

WORDS = 40
FREQUENCIES = [1.0, 0.5, 0.25, 0.125]
FILES = {part: (f"{part}.param", f"{part}.bin") for part in ("embed_token", "decoder", "proj_out")}
INPUTS = {
    "embed_token": [Input("in0", "tokens")],
    "decoder": [
        Input("x", "hidden"),
        Input("mask", "mask"),
        Input("cos", "cos"),
        Input("sin", "sin"),
    ],
    "proj_out": [Input("in0", "hidden")],
}


def normal(seed: int, *shape: int) -> Array:
    return np.random.default_rng(seed).standard_normal(shape).astype("f4")


def manifest(*tokens: Input, window: int | None = None) -> Manifest:
    inputs = INPUTS | ({"embed_token": [*tokens]} if tokens else {})
    own = [Input("mask", "mask", window) if i.role == "mask" else i for i in inputs["decoder"]]
    return Manifest(FILES, inputs | {"decoder": own}, 2, [Rotation(FREQUENCIES)], {}, None)


def bundle(folder: Path, described: Manifest, factor: float, positions: Array | None) -> Path:
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
    tokens = [Input("in0", "tokens"), Input("in1", "positions")] if learned else []
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


def test_windows() -> None:
    seen = causal_mask(5, 2) == 0
    assert seen.tolist() == [[0 <= i - j < 2 for j in range(5)] for i in range(5)]
    assert (causal_mask(5, None) == 0).tolist() == np.tri(5, dtype=bool).tolist()


def test_description(tmp_path: Path) -> None:
    described = manifest(window=4)
    (tmp_path / FILE).write_text(described.text())
    assert Manifest.read(tmp_path) == described
    data = json.loads(described.text())
    assert data["params"]["decoder_param"] == "decoder.param"
    assert data["setting"] == {
        "attn_cnt": 2,
        "rope": {"rope_head_dim": FEATURES, "type": "frequencies"},
    }


def test_description_of_another_program(tmp_path: Path) -> None:
    params = {f"{part}_{kind}": f"{part}.{kind}" for part in FILES for kind in ("param", "bin")}
    rope = {"type": "RoPE", "rope_head_dim": 4, "rope_theta": 100.0}
    data = {"params": params, "setting": {"attn_cnt": 2, "rope": rope}}
    (tmp_path / FILE).write_text(json.dumps(data))
    found = Manifest.read(tmp_path)
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
        Manifest.read(tmp_path)
