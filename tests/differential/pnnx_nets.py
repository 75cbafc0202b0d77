"""Random nets of PNNX's operators, and their values in PyTorch.

Each value is kept as PyTorch computes it; twice more with every step off by a few parts in 10^5, to
one side and to the other, which shows by how much rounding may change an element; and as the mask
of the elements that the runtime may not have (`pnnx_deviations`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

import numpy as np

from .expressions_of_pnnx import Shape, function, operator
from .pnnx_deviations import Mask, deviates
from .runtime import Array
from .torch_functions import BINARY, UNARY, call

SPECIAL = (-np.inf, -3e38, -1e10, -100.0, -2.5, -1.0, -0.5, -0.0, 0.0, 0.5, 1.0, 2.5, 55.0, 1e10,
           3e38, np.inf, np.nan)  # fmt: skip
NUMBERS = (-3.0, -2.5, -1.0, -0.3, 0.0, 0.25, 0.5, 0.7, 1.0, 2.0, 3.0, 55.0)
"""Numbers in expressions."""
EXPONENTS = (-3.0, -1.5, -1.0, -0.5, -0.3, 0.0, 0.3, 0.5, 1.0, 1.5, 2.0, 2.2, 3.0, 5.0)
SHAKE = 2e-5


class Value(NamedTuple):
    """A tensor."""

    name: str
    exact: Array
    shaken: Array
    other: Array
    masked: Mask


Tree = tuple[str, tuple["Tree", ...]] | int | float
"""A function of trees, the number of an operand, or a number."""


def text_of(tree: Tree) -> str:
    """A tree as PNNX writes it."""
    if isinstance(tree, tuple):
        return f"{tree[0]}({','.join(map(text_of, tree[1]))})"
    return f"@{tree}" if isinstance(tree, int) else f"{tree:g}"


@dataclass
class Net:
    """A net that grows by one operator after the other."""

    random: Random
    rng: np.random.Generator

    def __post_init__(self) -> None:
        self.lines: list[str] = []
        self.inputs: list[Array] = []
        self.values: list[Value] = []

    def add_input(self, shape: Shape) -> None:
        """An input, some of its elements negative, zero, large or not finite."""
        x = (self.rng.standard_normal(shape) * self.random.choice([1, 1, 20])).astype("f4")
        if self.random.random() < 0.6:
            x = np.where(self.rng.random(shape) < 0.2, self.rng.choice(SPECIAL, shape), x)
        if self.random.random() < 0.3:
            x = np.rint(x)
        x = np.array(x, "f4")
        self.values.append(Value(f"%a{len(self.inputs)}", x, x, x, np.zeros(shape, bool)))
        self.inputs.append(x)

    def text(self) -> str:
        """The net as IR, with the last value as output."""
        shapes = [x.shape for x in self.inputs]
        return function(shapes, self.lines, self.values[-1].name, self.values[-1].exact.shape)

    def add(self, kind: str, params: str, operands: Sequence[Value], made: Value) -> None:
        """An operator."""
        names, shapes = [v.name for v in operands], [v.exact.shape for v in operands]
        self.lines.append(operator(made.name, kind, params, names, shapes, made.exact.shape))
        self.values.append(made)

    def new_name(self) -> str:
        """A name for a result."""
        return f"%v{len(self.lines)}"

    def move(
        self, kind: str, params: str, operands: Sequence[Value], how: Callable[[list[Any]], Any]
    ) -> None:
        """An operator that moves elements: `how` does it to tensors of PyTorch's."""
        import torch as _torch  # pyright: ignore[reportMissingImports]

        torch: Any = _torch
        parts = [
            how([torch.from_numpy(np.array(getattr(v, field))) for v in operands]).numpy()
            for field in ("exact", "shaken", "other", "masked")
        ]
        self.add(kind, params, operands, Value(self.new_name(), *parts))

    def expression(self, tree: Tree, operands: Sequence[Value]) -> None:
        """An expression."""
        found = self.evaluate(tree, operands)
        params = f'expr = "{text_of(tree)}"'
        self.add("pnnx.Expression", params, operands, found._replace(name=self.new_name()))

    def evaluate(self, tree: Tree, operands: Sequence[Value]) -> Value:
        """The value of an expression. Numbers are arrays without axes."""
        if isinstance(tree, int):
            return operands[tree]
        if isinstance(tree, float):
            number = np.array(tree, "f4")
            return Value("", number, number, number, np.zeros((), bool))
        parts = [self.evaluate(t, operands) for t in tree[1]]
        exact, shaken, other = (
            call(tree[0], *[a if a.ndim else float(a) for a in arguments])
            for arguments in zip(*(p[1:4] for p in parts), strict=True)
        )
        with np.errstate(all="ignore"):
            # Of any size, so that those of two steps do not make up for each other.
            shake = self.rng.choice([-1, 1], exact.shape) * self.rng.uniform(0.5, 2, exact.shape)
            shake = np.float32(SHAKE) * shake.astype("f4")
            shaken, other = (shaken * (1 + shake)).astype("f4"), (other * (1 - shake)).astype("f4")
        masked = deviates(tree[0], exact, *[p.exact for p in parts])
        for p in parts:
            masked = masked | p.masked
        return Value("", exact, shaken, other, np.broadcast_to(masked, exact.shape))


def random_tree(random: Random, count: int, depth: int) -> Tree:
    """An expression of so many operands."""
    if depth == 0:
        return random.randrange(count)
    first = random_tree(random, count, random.randrange(depth))
    if random.random() < 0.4:
        return random.choice(UNARY), (first,)
    word = random.choice(BINARY)
    if word == "pow":
        base = random.random() < 0.8
        return (word, (first, random.choice(EXPONENTS)) if base else (2.0, first))
    second: Tree = random.choice(NUMBERS)
    if random.random() < 0.6:
        second = random_tree(random, count, random.randrange(depth))
    elif word in ("div", "fmod", "remainder", "floor_divide") and second == 0:
        second = 0.7
    return word, ((first, second) if random.random() < 0.7 else (second, first))


def random_shape(random: Random, size: int) -> Shape:
    """A shape of so many elements, of 1 to 6 dims."""
    shape = [1] * random.randint(1, 6)
    for prime in (2, 3, 5, 7):
        while size % prime == 0:
            shape[random.randrange(len(shape))] *= prime
            size //= prime
    shape[random.randrange(len(shape))] *= size
    return tuple(shape)


def random_net(seed: int) -> Net:
    """A net of one to five operators."""
    random = Random(seed)
    net = Net(random, np.random.default_rng(seed))
    shape = random_shape(random, random.choice([24, 48, 60, 120, 210]))
    net.add_input(shape)
    if random.random() < 0.6:
        keep = random.randrange(len(shape))
        net.add_input(tuple(n if random.random() < 0.7 else 1 for n in shape[keep:]))
    net.expression(*_drawn(net))
    for _ in range(random.randrange(5)):
        random.choice(STEPS)(net)
    return net


def _drawn(net: Net) -> tuple[Tree, list[Value]]:
    """An expression of the last value and, if it broadcasts, an input."""
    operands = [net.values[-1]]
    other = net.random.choice(net.values)
    if other is not operands[0] and _spreads(other, operands[0]):
        operands.append(other)
    tree = random_tree(net.random, len(operands), net.random.randint(1, 3))
    text = text_of(tree)
    used = [v for i, v in enumerate(operands) if f"@{i}" in text]
    return (tree, operands) if len(used) == len(operands) else (_only(tree), used)


def _only(tree: Tree) -> Tree:
    """An expression of one operand, whatever its number was."""
    if isinstance(tree, tuple):
        return tree[0], tuple(_only(t) for t in tree[1])
    return 0 if isinstance(tree, int) else tree


def _spreads(a: Value, b: Value) -> bool:
    """Whether two values broadcast to the second one's shape, in groups of axes of four at most."""
    shape = (1,) * (b.exact.ndim - a.exact.ndim) + a.exact.shape
    if len(shape) != b.exact.ndim or any(m not in (1, n) for m, n in zip(shape, b.exact.shape)):
        return False
    pairs = [(m == 1, n == 1) for m, n in zip(shape, b.exact.shape) if n != 1]
    return sum(p != q for p, q in zip(pairs, [None, *pairs])) <= 4


def _compute(net: Net) -> None:
    net.expression(*_drawn(net))


def _permute(net: Net) -> None:
    x = net.values[-1]
    order = net.random.sample(range(x.exact.ndim), x.exact.ndim)
    net.move("Tensor.permute", f"dims = {_ints(order)}", [x], lambda t: t[0].permute(order))


def _reshape(net: Net) -> None:
    x = net.values[-1]
    shape = random_shape(net.random, x.exact.size)
    params = f"shape = {_ints(shape)}"
    net.move("Tensor.reshape", params, [x], lambda t: t[0].reshape(shape))


def _slice(net: Net) -> None:
    x = net.values[-1]
    axis = net.random.randrange(x.exact.ndim)
    size = x.exact.shape[axis]
    start, step = net.random.randrange(size), net.random.randint(1, 3)
    stop = net.random.randint(start + 1, size)
    index = (slice(None),) * axis + (slice(start, stop, step),)
    params = f"dim = {axis} : i32, start = {start - size} : i32, end = {stop} : i32"
    net.move("Tensor.slice", f"{params}, step = {step} : i32", [x], lambda t: t[0][index])


def _join(net: Net) -> None:
    x = net.values[-1]
    if x.exact.size > 300:
        return
    axis = net.random.randrange(-x.exact.ndim, x.exact.ndim)
    kind = net.random.choice(["cat", "stack"])

    def how(tensors: list[Any]) -> Any:
        import torch as _torch  # pyright: ignore[reportMissingImports]

        torch: Any = _torch
        return getattr(torch, kind)(tensors, axis)

    net.move(f"torch.{kind}", f"dim = {axis} : i32", [x, x], how)


def _addcmul(net: Net) -> None:
    x, other = net.values[-1], net.random.choice(net.values)
    if not _spreads(other, x):
        return
    number = net.random.choice((-2.0, 0.5, 1.0))
    tree: Tree = ("add", (0, ("mul", (number, ("mul", (1, 2))))))
    found = net.evaluate(tree, [x, other, x])
    params = f"value = {number} : f32"
    net.add("torch.addcmul", params, [x, other, x], found._replace(name=net.new_name()))


def _ints(values: Sequence[int]) -> str:
    return f"array<i32: {', '.join(map(str, values))}>"


STEPS: tuple[Callable[[Net], None], ...] = (
    _compute, _compute, _compute, _permute, _reshape, _slice, _join, _addcmul,
)  # fmt: skip


def differences(net: Net, got: Array) -> tuple[list[tuple[float, float]], int]:
    """Elements that are wrong, with the right value, and how many were compared."""
    want, shaken, other, masked = (x.reshape(-1) for x in net.values[-1][1:])
    got = got.reshape(-1)
    finite, nan = np.isfinite(want), np.isnan(want)
    with np.errstate(all="ignore"):
        doubt = np.maximum(np.abs(want - shaken), np.abs(want - other))
        certain = np.where(finite, doubt <= 1e-2 * np.abs(want) + 1e-3, True)
        certain &= ~((np.abs(want) < 1e-30) & (want != 0)) & (~finite | (np.abs(want) < 1e36))
        close = np.abs(got - want) <= 1e-3 * np.abs(want) + 1e-4 + 50 * doubt
    for again in (shaken, other):
        certain &= (finite == np.isfinite(again)) & (nan == np.isnan(again))
    same = np.where(finite, close, (got == want) | (np.isnan(got) & nan))
    compared = certain & ~masked
    wrong = np.flatnonzero(compared & ~same)
    return [(float(got[i]), float(want[i])) for i in wrong], int(compared.sum())


def main() -> None:
    """Compares many nets: `python -m differential.pnnx_nets COUNT [FIRST]`."""
    import sys
    import tempfile
    from pathlib import Path

    from .expressions_of_pnnx import run
    from .runtime import Runtime

    count, first = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    elements = bad = failed = 0
    with Runtime() as runtime, tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            net = random_net(seed)
            try:
                got = run(net.text(), net.inputs, runtime, Path(folder), seed % 2 == 1)
            except Exception as e:  # every failure is a finding
                failed += 1
                print(f"net {seed}: {type(e).__name__}: {str(e)[:300]}\n{net.text()}", flush=True)
                continue
            wrong, compared = differences(net, got)
            elements += compared
            if wrong:
                bad += 1
                print(f"net {seed}: {len(wrong)} wrong: {wrong[:5]}\n{net.text()}", flush=True)
    print(f"{count} nets: {elements} elements compared, {bad} nets differ, {failed} fail")


if __name__ == "__main__":
    main()
