"""Decoders with caches: their heads are shared, caches are added, and spelled-out caches are fused.
Prefill and steps in the runtime compute what the whole sequence does at once."""

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.runtime.host import Array
from ncnn_opt.runtime.process import Decoded, Runtime
from ncnn_opt.tools.ncnn_opt_main import main

from .decoders import FEATURES, GROUPS, HEADS, WIDTH, decoder
from .decoding import causal, decoded, parts
from .nets import layer_types
from .releases import FOLDER, environments

PLACE = Path(os.environ.get("NCNN_RELEASES", FOLDER))
LAYERS = 2
STEPS = (5, 1, 1, 3, *([1] * 17))
"""A prefill, and steps of one token and more."""
CACHES = {f"{kind}{i}": f"attended{i}_{kind}" for i in range(LAYERS) for kind in ("keys", "values")}
OUTPUT = f"fed{LAYERS - 1}"


@pytest.fixture(scope="module", params=["20260526", None])
def release(request: pytest.FixtureRequest) -> Iterator[Runtime]:
    """An older release with the same layers, and the newest."""
    name: str | None = request.param
    if name is None:
        with Runtime() as runtime:
            yield runtime
        return
    python = environments(PLACE).get(name)
    if python is None:
        pytest.skip("needs older releases of ncnn (`make test-releases` installs them)")
    with Runtime(python=python) as runtime:
        yield runtime


def rows(seed: int = 0) -> dict[str, Array]:
    """The inputs for all steps, of values that matter: positions turn by up to two turns."""
    rng, count = np.random.default_rng(seed), sum(STEPS)
    angles = np.outer(np.arange(count), 2.0 ** -np.arange(FEATURES // 2))
    x = rng.standard_normal((count, WIDTH)) * 3
    return {
        "x": x.astype("f4"),
        "cos": np.cos(angles, dtype="f4"),
        "sin": np.sin(angles, dtype="f4"),
    }


def error(a: Array, b: Array) -> float:
    assert a.shape == b.shape
    return float(np.abs(a - b).max() / np.abs(a).max())


def test_heads_of_caches_are_shared(release: Runtime, tmp_path: Path) -> None:
    source, out = decoder(LAYERS).write(tmp_path), tmp_path / "shared.param"
    main(["-O", "-q", "--opaque-caches", str(source), "-o", str(out)])
    assert "Tile" in layer_types(source)
    assert "Tile" not in layer_types(out)
    calls, at_once = parts(STEPS, rows(), "mask"), parts([sum(STEPS)], rows(), "mask")
    whole = decoded(release, source, at_once, CACHES, OUTPUT)
    for model in (source, out):
        assert error(whole, decoded(release, model, calls, CACHES, OUTPUT)) < 1e-5
    found = [release.decode(p, calls, CACHES, [OUTPUT]) for p in (source, out)]
    sizes = [each.cache_bytes for each in found if isinstance(each, Decoded)]
    assert [a * GROUPS for a in sizes[0]] == [b * HEADS for b in sizes[1]]


@pytest.mark.parametrize("shared", [False, True])
def test_plain_caches_may_be_copied(shared: bool, release: Runtime, tmp_path: Path) -> None:
    source, out = decoder(LAYERS).write(tmp_path), tmp_path / "plain.param"
    passes = ["--opaque-caches", "-O"] if shared else []
    main(["-q", *passes, str(source), "-o", str(tmp_path / "opaque.param")])
    main(["-q", "--unfuse-kv-cache", str(tmp_path / "opaque.param"), "-o", str(out)])
    calls, at_once = parts(STEPS, rows(), "mask"), parts([sum(STEPS)], rows(), "mask")
    whole = decoded(release, source, at_once, CACHES, OUTPUT)
    found = release.decode(out, calls, CACHES, [OUTPUT], copied=True)
    assert isinstance(found, Decoded), found.reason
    assert error(whole, np.concatenate([each[OUTPUT] for each in found.blobs])) < 1e-5


def test_plain_caches_are_in_order(tmp_path: Path) -> None:
    """A cache has the newest step first: masks hide single steps."""
    source, out = decoder(LAYERS).write(tmp_path), tmp_path / "plain.param"
    main(["-q", "--unfuse-kv-cache", str(source), "-o", str(out)])
    rng = np.random.default_rng(3)
    calls = parts(STEPS, rows(), "mask")
    for call in calls:
        steps, every = call["mask"].shape
        hidden = rng.random((steps, every)) < 0.4
        hidden &= ~np.eye(steps, every, every - steps, dtype=bool)  # each step sees itself
        call["mask"] = np.where(hidden, np.float32(-1e9), call["mask"])
    with Runtime() as runtime:
        expected, found = (decoded(runtime, m, calls, CACHES, OUTPUT) for m in (source, out))
    assert error(expected, found) < 1e-5


def test_without_the_option_caches_stay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = decoder(LAYERS).write(tmp_path), tmp_path / "out.param"
    main(["-O", str(source), "-o", str(out)])
    assert "Tile" in layer_types(out)
    assert capsys.readouterr().err.splitlines()[-1] == (
        "ncnn-opt: 2 SDPAs have a cache with 4 heads instead of 2: --opaque-caches makes it "
        "smaller and decoding faster, if the application passes caches on as they are "
        "(docs/decoders.md)"
    )
    main(["-O", "--opaque-caches", str(source), "-o", str(out)])
    assert "--opaque-caches" not in capsys.readouterr().err


@pytest.mark.parametrize("past", [0, 7])
def test_equivalence_with_shared_caches(past: int, tmp_path: Path) -> None:
    source, out = decoder(LAYERS).write(tmp_path), tmp_path / "out.param"
    shapes = {"x": (3, WIDTH), "cos": (3, FEATURES // 2), "sin": (3, FEATURES // 2)}
    shapes |= {"mask": (3, past + 3)} | dict.fromkeys(
        CACHES if past else (), (HEADS, past, FEATURES)
    )
    words = [f"--input-shape={n}={','.join(map(str, shape))}" for n, shape in shapes.items()]
    main(
        ["-O", "-q", "--opaque-caches", "--verify-equivalence", *words, str(source), "-o", str(out)]
    )
    assert "Tile" not in layer_types(out)


def test_causal_masks() -> None:
    assert (causal(2, 2)[0, :3] == 0).all()
    assert causal(2, 2)[0, 3] < -1e8
