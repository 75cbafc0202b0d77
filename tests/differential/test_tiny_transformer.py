"""A language model that is trained here, quantized as docs/quantize_weights.md says: how well it
predicts in the runtime."""

import json
import os
import re
import shlex
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from ncnn_opt.tools import ncnn_quantize_main

from .runtime import Runtime
from .semantics import error, interpret

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "examples" / "tiny_transformer.py"
PAGE = ROOT / "docs" / "quantize_weights.md"


def script() -> Any:
    """The example as a module."""
    spec = spec_from_file_location("tiny_transformer", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def commands() -> list[list[str]]:
    """What the page says to type."""
    block = re.search(r"^```\n(python examples/.*?)^```$", PAGE.read_text(), re.S | re.M)
    assert block is not None
    return [shlex.split(line) for line in block[1].splitlines()]


def follow(command: list[str], folder: Path) -> str:
    """Runs a command of the page; returns what it prints."""
    if command[0] == "python":
        command = [sys.executable, str(ROOT / command[1]), *command[2:]]
    else:
        command = [str(Path(sys.executable).with_name(command[0])), *command[1:]]
    # Matrices are small: where tests run beside each other, threads wait for each other.
    env = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the page was followed up to the trained model."""
    pytest.importorskip("ncnn")
    folder = tmp_path_factory.mktemp("tiny")
    follow(commands()[0], folder)
    return folder


@pytest.fixture(scope="module")
def trained(folder: Path) -> float:
    """The perplexity of the model in float: it has learnt something (untrained: 41)."""
    perplexity = script().perplexity(folder / "tiny.param")
    assert 1 < perplexity < 1.8
    return perplexity


def test_the_page_as_it_stands(folder: Path, trained: float) -> None:
    _, quantize, say = commands()
    assert not follow(quantize, folder)
    lines = follow(say, folder).splitlines()
    assert [line.split(":")[0] for line in lines] == ["tiny.param", "q4.param"]
    change = re.fullmatch(r"q4.param: perplexity \d\.\d+  ([+-]\d\.\d\d) %", lines[1])
    assert change is not None
    assert float(change[1]) < 1.5
    sizes = [(folder / f"{name}.bin").stat().st_size for name in ("tiny", "q4")]
    assert sizes[1] < 0.25 * sizes[0]


@pytest.mark.parametrize(
    ("bits", "block", "method", "most"),
    [
        (8, 32, "awq", 1),
        (8, 128, "gptq", 1),
        (6, 64, "mse", 1),
        (6, 128, "gptq", 1),
        *((4, block, method, 3) for block in (32, 64) for method in ("awq", "gptq")),
        (8, "row", "minmax", 1),
    ],
)
def test_perplexity_stays(
    bits: int,
    block: int | str,
    method: str,
    most: float,
    folder: Path,
    trained: float,
    runtime: Runtime,
) -> None:
    """Within so many percent; and what the runtime computes is what the format says."""
    path = folder / f"q_{bits}_{block}_{method}.param"
    options = ["--bits", str(bits), "--block", str(block), "--method", method]
    data = ["--data", str(folder / "calib.npz")] if method in ("awq", "gptq") else []
    model = [str(folder / "tiny.param"), "--weights-only"]
    follow(["ncnn-quantize", *model, *options, *data, "-o", str(path)], folder)
    tiny = script()
    assert 100 * (tiny.perplexity(path) / trained - 1) < most
    window = tiny.tokens_of(tiny.made_up(2, tiny.STEPS))
    found, (wanted,) = (
        tiny.logits_of(path, window[None])[0],
        interpret(path, tiny.inputs_of(window)),
    )
    # A difference in the last bit may round to another int8.
    assert error(wanted, found) <= (1e-5 if bits < 8 else 0.02)


def test_what_each_layer_costs(folder: Path, trained: float) -> None:
    """`measure` watches the layers that are quantized, and tells of how many bits they are."""
    model, path, told = (str(folder / name) for name in ("tiny.param", "q_5.param", "costs.json"))
    options = ["--bits", "4", "--block", "32", "--keep", "out", "-o", path]
    ncnn_quantize_main.main([model, "--weights-only", *options])
    data = ["--data", str(folder / "calib.npz"), "--samples", "3", "-j", "1"]
    ncnn_quantize_main.main(["measure", model, path, *data, "--json", told])
    layers = json.loads(Path(told).read_text())["layers"]
    kinds = {layer["name"]: layer["kind"] for layer in layers}
    parts = [f"{part}{i}" for i in range(2) for part in ("att", "mlp")]
    names = [n for p in parts for n in ([p] if "att" in p else [f"{p}.up", f"{p}.down"])]
    assert kinds == dict.fromkeys(names, "4 bits")
    assert all(10 < layer["snr"] < 40 for layer in layers)
