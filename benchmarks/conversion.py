# pyright: basic, reportMissingImports=false
"""Conversion of a PyTorch model with pnnx, and the computation of its outputs. Used by separate
programs, because the converter writes to the working directory."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[1]


def run_program(module: str, arguments: Sequence[str], folder: Path) -> str:
    """Let a module of this package convert a model in a folder, unless the folder contains it.
    Return an error message, or an empty text."""
    folder.mkdir(parents=True, exist_ok=True)
    result = folder / "model.ncnn.param"
    if result.exists():
        return ""
    command = [sys.executable, "-m", f"benchmarks.{module}", *arguments, str(folder.resolve())]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if result.exists():
        return ""
    lines = (done.stderr or done.stdout).strip().splitlines()
    return f"not converted: {lines[-1] if lines else done.returncode}"


def start() -> Any:
    """Return a random generator with a fixed seed, and use one thread."""
    import torch

    torch.manual_seed(0)
    torch.set_num_threads(1)
    return torch.Generator().manual_seed(1)


def stir(model: Any, random: Any, words: Sequence[str] = ()) -> None:
    """Change vectors, parameters with one of `words` in their names, and statistics at random: new
    models have tiny scales and zero biases, which would hide defects."""
    import torch

    for label, value in model.named_parameters():
        if value.dim() <= 1 or any(word in label for word in words):
            value.data += 0.1 * torch.randn(value.shape, generator=random)
    for label, value in model.named_buffers():
        if label.endswith("running_mean"):
            value += 0.1 * torch.randn(value.shape, generator=random)
        elif label.endswith("running_var"):
            value *= 1 + 0.5 * torch.rand(value.shape, generator=random)


def convert(model: Any, shape: Sequence[int], random: Any, folder: Path) -> None:
    """Convert a model in a folder, and write a random input of this shape and PyTorch's output to
    `values.npz`, both without the batch axis."""
    import pnnx
    import torch

    x = torch.rand(tuple(shape), generator=random)
    with torch.no_grad():
        y = model(x)
    os.chdir(folder)
    np.savez("values.npz", x=x[0].numpy(), y=y[0].numpy())
    try:
        pnnx.export(model, "model.pt", (x,), fp16=False)
    except SyntaxError:
        pass  # in the Python file that the converter also writes, which is not needed
