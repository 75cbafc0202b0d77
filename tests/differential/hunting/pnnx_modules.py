# pyright: basic, reportMissingImports=false, reportUntypedBaseClass=false
"""Random modules of PyTorch through PNNX and the conversion of its graph, compared in the runtime:

    cd tests && python -m differential.hunting.pnnx_modules --nets 300 --seed 1

Needs PyTorch and PNNX (the extra `export`). Prints the counts of the results, and each module that
is wrong; then the status is 1.
"""

import argparse
import random
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from ncnn_opt.conversion.pnnx_to_ncnn.conversion import Unconverted, convert_graph
from ncnn_opt.conversion.pnnx_to_ncnn.conversion_pass import reader_of
from ncnn_opt.dialects.ncnn.blob import static_shape_of
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.driver.pnnx_program import run_pnnx
from ncnn_opt.driver.sidecar_files import read_pnnx
from ncnn_opt.interpreters.errors import RunError
from ncnn_opt.interpreters.source.pnnx_graph import source_of
from torch import nn

from ..compiler import save
from ..pnnx_operators.making import computed
from ..runtime import Failure, Runtime

TOLERANCE = 1e-3
ROUNDING = 50
"""The largest error in units of the rounding error of PyTorch."""
INEXACT = 1e-5
"""The error of a step in the runtime, relative to its largest value: LayerNorm adds x * a and b."""
SMALLEST = 1e-6
"""The largest value of a result that is only rounding errors of numbers that cancel."""
MAX_ELEMENTS = 4000
MAX_RANK = 6
MAX_VALUE = 60
"""The logits of attention stay below what a mask subtracts, see docs/pnnx.md."""

Step = Callable[[Any], Any]


class Drawn(nn.Module):
    """A chain of random steps, and an input whose results are at most MAX_VALUE."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.rng = random.Random(seed)
        torch.manual_seed(seed)
        rank = self.rng.randint(1, 4)
        self.shape = (1, *(self.rng.choice((2, 3, 4, 6, 8)) for _ in range(rank)))
        self.parts = nn.ModuleList()
        self.steps: list[tuple[str, Step]] = []
        self.example = x = torch.randn(self.shape) * 2
        with torch.no_grad():
            while len(self.steps) < 8:
                name = self.rng.choice(STEPS)
                step = getattr(self, name)(x)
                if step is None:
                    continue
                y = step(x)
                small = y.numel() <= MAX_ELEMENTS and y.abs().max() <= MAX_VALUE
                if small and 1 <= y.dim() <= MAX_RANK:
                    self.steps.append((name, step))
                    x = y

    def forward(self, x: Any) -> Any:
        return self.results(x)[-1]

    def results(self, x: Any) -> list[Any]:
        """Return the result of each step."""
        found: list[Any] = []
        for _, step in self.steps:
            x = step(x)
            found.append(x)
        return found

    # -- steps: each returns a function for a tensor like `x`, or nothing

    def axis(self, x: Any) -> int:
        return self.rng.randrange(x.dim())

    def linear(self, x: Any) -> Step:
        self.parts.append(nn.Linear(x.shape[-1], self.rng.choice((2, 4, 6))))
        return self.parts[-1]

    def norm(self, x: Any) -> Step | None:
        if x.shape[-1] < 2:
            return None
        self.parts.append(nn.LayerNorm(x.shape[-1]))
        return self.parts[-1]

    def attention(self, x: Any) -> Step | None:
        """A block over the last two axes, with a mask."""
        if x.dim() < 2 or x.shape[-2] < 2:
            return None
        heads, size, steps = self.rng.choice((1, 2)), 4, x.shape[-2]
        qkv = nn.Linear(x.shape[-1], 3 * heads * size)
        self.parts.append(qkv)
        mask = torch.ones(steps, steps, dtype=torch.bool).tril()
        masked, lead = self.rng.random() < 0.6, tuple(x.shape[:-2])
        k = len(lead)

        def step(x: Any) -> Any:
            y = qkv(x).reshape(*lead, steps, 3, heads, size)
            y = y.permute(k + 1, *range(k), k + 2, k, k + 3)
            q, key, v = y.unbind(0)
            logits = q @ key.transpose(-2, -1) * size**-0.5
            logits = logits.masked_fill(~mask, float("-inf")) if masked else logits
            y = logits.softmax(-1) @ v
            return y.transpose(-3, -2).reshape(*lead, steps, heads * size)

        return step if k + 4 <= MAX_RANK else None

    def windows(self, x: Any) -> Step | None:
        if x.dim() != 4 or x.shape[1] % 2 or x.shape[2] % 2:
            return None
        b, h, w, c = x.shape
        back = self.rng.random() < 0.5
        shift = self.rng.choice((0, 1))

        def step(x: Any) -> Any:
            x = torch.roll(x, (-shift, -shift), (1, 2)) if shift else x
            y = x.view(b, h // 2, 2, w // 2, 2, c).permute(0, 1, 3, 2, 4, 5)
            y = y.reshape(-1, 4, c)
            if not back:
                return y
            y = y * y.mean(1, keepdim=True)
            y = y.view(b, h // 2, w // 2, 2, 2, c).permute(0, 1, 3, 2, 4, 5)
            return y.reshape(b, h, w, c)

        return step

    def permute(self, x: Any) -> Step | None:
        order = list(range(x.dim()))
        self.rng.shuffle(order)
        return (lambda x: x.permute(order)) if x.dim() > 1 else None

    def reshape(self, x: Any) -> Step:
        shape = list(x.shape)
        if len(shape) > 1 and self.rng.random() < 0.5:
            i = self.rng.randrange(len(shape) - 1)
            shape[i : i + 2] = [shape[i] * shape[i + 1]]
        else:
            i = self.rng.randrange(len(shape))
            n = next((d for d in (2, 3) if shape[i] % d == 0), 1)
            shape[i : i + 1] = [n, shape[i] // n]
        return lambda x: x.reshape(shape)

    def chunk(self, x: Any) -> Step | None:
        axis = self.axis(x)
        if x.shape[axis] < 2 or x.shape[axis] % 2:
            return None

        def step(x: Any) -> Any:
            a, b = x.chunk(2, axis)
            return a * torch.sigmoid(b)

        return step

    def stack(self, x: Any) -> Step:
        axis = self.rng.randrange(x.dim() + 1)
        return lambda x: torch.stack([x, torch.tanh(x)], axis)

    def cat(self, x: Any) -> Step:
        axis = self.axis(x)
        return lambda x: torch.cat([x, torch.sin(x)], axis)  # no sum of it is 0

    def expand(self, x: Any) -> Step:
        axis = self.rng.randrange(x.dim() + 1)
        sizes = [-1] * (x.dim() + 1)
        sizes[axis] = 2
        return lambda x: x.unsqueeze(axis).expand(*sizes) + 1

    def einsum(self, x: Any) -> Step | None:
        if not 2 <= x.dim() <= 5:
            return None
        letters = "abcde"[: x.dim()]
        summed = self.rng.choice(letters)
        n = x.shape[letters.index(summed)]
        weight = nn.Parameter(torch.randn(n, 3) * n**-0.5)
        self.register_parameter(f"weight{len(list(self.parameters()))}", weight)
        out = [*letters.replace(summed, ""), "z"]
        self.rng.shuffle(out)
        text = f"{letters},{summed}z->{''.join(out)}"
        return lambda x: torch.einsum(text, x, weight)

    def gather(self, x: Any) -> Step | None:
        axis = self.axis(x)
        index = torch.tensor([self.rng.randrange(x.shape[axis]) for _ in range(3)])
        return lambda x: torch.index_select(x, axis, index)

    def centre(self, x: Any) -> Step | None:
        axis, word = self.axis(x), self.rng.choice(("mean", "amax", "sum"))
        if x.shape[axis] == 1:
            return None  # all zeros
        return lambda x: x - getattr(x, word)(axis, keepdim=True)

    def reduce(self, x: Any) -> Step | None:
        axis = self.axis(x)
        return (lambda x: x.mean(axis)) if x.dim() > 2 else None

    def softmax(self, x: Any) -> Step:
        axis = self.axis(x)
        return lambda x: x.softmax(axis)

    def part(self, x: Any) -> Step | None:
        axis = self.axis(x)
        n = x.shape[axis]
        start, step = self.rng.randrange(n), self.rng.choice((1, 2))
        index = [slice(None)] * x.dim()
        index[axis] = slice(start, None, step)
        return lambda x: x[tuple(index)]

    def select(self, x: Any) -> Step | None:
        axis = self.axis(x)
        index = self.rng.randrange(x.shape[axis])
        return (lambda x: x.select(axis, index)) if x.dim() > 2 else None

    def flip(self, x: Any) -> Step:
        axis = self.axis(x)
        return lambda x: x.flip(axis)

    def roll(self, x: Any) -> Step:
        axis = self.axis(x)
        return lambda x: torch.roll(x, 1, axis)

    def choose(self, x: Any) -> Step:
        return lambda x: torch.where(x > 0, x, 0.1 * x)

    def outer(self, x: Any) -> Step | None:
        return (lambda x: x @ x.transpose(-2, -1)) if x.dim() > 1 else None

    def top(self, x: Any) -> Step | None:
        axis = self.axis(x)
        return lambda x: x.sort(axis)[0]

    def best(self, x: Any) -> Step | None:
        axis = self.axis(x)
        return lambda x: torch.gather(x, axis, x.argmax(axis, keepdim=True)) + x


STEPS = (
    *("linear", "norm", "attention", "attention", "windows", "windows", "permute", "reshape"),
    *("chunk", "stack", "cat", "expand", "einsum", "gather", "centre", "reduce", "softmax"),
    *("part", "select", "flip", "roll", "choose", "outer", "top", "best"),
)


def result(seed: int, runtime: Runtime, folder: Path) -> tuple[str, str]:
    """Return the result of one module, and the reason."""
    module = Drawn(seed).eval()
    x = module.example
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exact = [y.numpy() for y in module.double().results(x.double())]
        single = [y.numpy() for y in module.float().results(x)]
        script = torch.jit.trace(module, x, check_trace=False)
    wanted = single[-1]
    limit = limit_of(single, exact)
    if not np.isfinite(wanted).all():
        return "not finite", ""
    if np.abs(exact[-1]).max() < SMALLEST:
        return "cancels", ""
    try:
        param = run_pnnx(script, [x], folder, 60)
    except RunError as e:
        return "PNNX fails", str(e)
    graph = read_pnnx(param.replace(".ncnn.", ".pnnx.")).graph
    if graph is None:
        return "PNNX fails", "no graph"
    read = reader_of(graph)
    try:
        own = computed(source_of(graph, "net", read), [x.numpy()])[0]
        if error_of(own, wanted) > limit:
            return "PNNX differs", ""
    except Exception as e:  # an operator that PyTorch does not know
        return "PNNX differs", str(e)
    try:
        net = convert_graph(graph, read)
    except Unconverted as e:
        return "refused", str(e)
    net.verify()
    # PNNX states the form of the input.
    blob = x.numpy().reshape(static_shape_of(model_of(net).body.block.args[0]) or ())
    got = runtime.run(save(net, folder / "net.param"), {"in0": blob}, ["out0"])
    if isinstance(got, Failure):
        return "wrong", got.reason
    error = error_of(got["out0"], wanted)
    if error <= limit:
        return "agrees", ""
    if error <= sensitivity(module, x, exact[-1]):
        return "sensitive", f"error {error:.3g}, limit {limit:.3g}"
    return "wrong", f"error {error:.3g}, limit {limit:.3g}"


def error_of(a: Any, b: Any) -> float:
    """Return the largest difference relative to the largest value."""
    if a.size != b.size:
        return float("inf")
    return float(np.abs(a.reshape(-1) - b.reshape(-1)).max() / max(np.abs(b).max(), 1e-6))


def sensitivity(module: Drawn, x: Any, exact: Any) -> float:
    """Return the change of the result if each step is as inexact as the runtime's functions are. A
    normalization of numbers that are nearly equal makes a small change large."""
    rng, changes = np.random.default_rng(0), [0.0]
    with torch.no_grad():
        module.double()
        for _ in range(3):
            y = x.double()
            for _, step in module.steps:
                y = step(y)
                size = INEXACT * float(y.abs().max())
                y = y + torch.tensor(rng.uniform(-size, size, tuple(y.shape)))
            changes.append(error_of(y.numpy(), exact))
        module.float()
    return max(changes)


def limit_of(single: list[Any], exact: list[Any]) -> float:
    """Return the largest error that counts as rounding. Where large numbers cancel, PyTorch's own
    float32 results are as wrong: the error of a step against float64 measures the numbers that are
    summed. The runtime adds in another order, and its functions round more."""
    largest = max(error_of(a.astype("f8"), b) for a, b in zip(single, exact, strict=True))
    return max(TOLERANCE, ROUNDING * largest)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nets", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(1)
    counts: Counter[str] = Counter()
    with Runtime() as runtime:
        for seed in range(args.seed, args.seed + args.nets):
            with tempfile.TemporaryDirectory() as folder:
                try:
                    word, reason = result(seed, runtime, Path(folder))
                except Exception as e:
                    word, reason = "wrong", f"{type(e).__name__}: {e}"
            counts[word] += 1
            if word in ("wrong", "refused", "sensitive"):
                names = " ".join(name for name, _ in Drawn(seed).steps)
                print(f"{word} {seed}: {reason} [{names}]", flush=True)
    print(", ".join(f"{n} {word}" for word, n in sorted(counts.items())))
    return int(counts["wrong"] > 0)


if __name__ == "__main__":
    sys.exit(main())
