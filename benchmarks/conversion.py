# pyright: basic, reportMissingImports=false
"""Converting a PyTorch model with pnnx, and what it computes. (For programs of their own: the
converter writes into the working directory.)"""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[1]


def run_program(module: str, arguments: Sequence[str], folder: Path) -> str:
    """Lets a module of this folder convert a model in a folder, unless that has it; what went
    wrong, if something did."""
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
    """A generator of random numbers, the same in each run, and one thread."""
    import torch

    torch.manual_seed(0)
    torch.set_num_threads(1)
    return torch.Generator().manual_seed(1)


def stir(model: Any, random: Any, words: Sequence[str] = ()) -> None:
    """Changes vectors, parameters with one of these words in their names, and statistics at random:
    new models have scales of next to nothing and biases of 0, which would hide mistakes."""
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
    """Converts a model in a folder, and writes a random input of this shape and the output that
    PyTorch gives for it to `values.npz`, both without the batch axis."""
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
        pass  # in the Python that the converter writes besides, which nobody needs here
