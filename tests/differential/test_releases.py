"""A small draw of `make test-releases`: models and the results of `-O` in older releases."""

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from .compiler import load
from .nets import Net
from .releases import (
    FOLDER,
    RELEASES,
    check,
    environments,
    error,
    models_in,
    optimized,
    random_nets,
)
from .runtime import Runtime

ROOT = Path(__file__).parents[2]
PLACE = Path(os.environ.get("NCNN_RELEASES", FOLDER))
INSTALLED = environments(PLACE)
EXAMPLES = ["residual", "sequence", "small_cnn"]
NETS = random_nets(12, seed=7)


@pytest.fixture(scope="module", params=RELEASES)
def older(request: pytest.FixtureRequest) -> Iterator[dict[str, Runtime]]:
    """A release in an environment of its own."""
    release: str = request.param
    python = INSTALLED.get(release)
    if python is None:
        pytest.skip("needs older releases of ncnn (`make test-releases` installs them)")
    runtime = Runtime(python=python)
    yield {release: runtime}
    runtime.__exit__()


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name: str, older: dict[str, Runtime], runtime: Runtime, tmp_path: Path) -> None:
    module = dict(models_in(ROOT / "examples"))[name]
    found, same = check(optimized(name, module, tmp_path), older, runtime)
    assert (found, same) == ([], [*older])


@pytest.mark.parametrize("net", [net for _, net in NETS], ids=[name for name, _ in NETS])
def test_random_nets(net: Net, older: dict[str, Runtime], runtime: Runtime, tmp_path: Path) -> None:
    model = optimized("net", load(net.write(tmp_path)), tmp_path, net.inputs)
    assert check(model, older, runtime)[0] == []


@pytest.mark.parametrize(("_", "net"), random_nets(150, seed=11))
def test_no_newer_release(_: str, net: Net, tmp_path: Path) -> None:
    """What `-O` makes runs in the oldest release that runs the model."""
    before, after = optimized("net", load(net.write(tmp_path)), tmp_path, net.inputs).releases
    assert after <= before


def test_what_counts_as_an_error() -> None:
    one, other = np.array([1, 2, -4], np.float32), np.array([1, 2, -3], np.float32)
    assert error({"y": one}, {"y": one}) == 0
    assert error({"y": one}, {"y": other}) == pytest.approx(0.25)
    assert error({"y": one}, {"y": one[None]}) is None
    assert error({"y": one}, {"y": np.array([1, 2, np.nan], np.float32)}) == np.inf
    assert error({"y": np.full_like(one, np.nan)}, {"y": one}) == 0
