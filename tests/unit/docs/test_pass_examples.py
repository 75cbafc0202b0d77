"""The examples of `ncnn-opt --help PASS` are those of the lit tests, and what passes do today."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from ncnn_opt.driver.pass_help import EXAMPLES, examples_in
from ncnn_opt.transforms.rewriting.passes import PASSES

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
WITHOUT = {
    "convert-pnnx-to-ncnn",
    "fuse-multiheadattention",
    "interpolate-models",
    "join-models",
    "interpolate-models",
    "expand-custom-layers",
    "keep-blobs",
    "legalize-pnnx-reshape",
    "limit-growth",
    "ncnn-for-release",
    "ncnn-recognize",
    "ncnn-tune",
    "restore-pnnx",
    "split-model",
}
"""Passes that change nothing themselves, or whose tests give them as another option, or
that make a function of what is none."""


@pytest.fixture
def making(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = spec_from_file_location("pass_examples", ROOT / "docs/making/pass_examples.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    return module


def test_examples_are_up_to_date(making: ModuleType) -> None:
    """If not: `make examples`. (That also adds those of new passes.)"""
    kept = examples_in((ROOT / "transforms/rewriting/passes" / EXAMPLES).read_text("utf-8"))
    made = making.examples()
    assert kept == {name: made[name] for name in made if name in kept}
    assert len(kept) > 100
    assert PASSES.keys() - made.keys() <= WITHOUT
