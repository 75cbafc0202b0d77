"""Operators of PNNX as layers: the real runtime computes what NumPy does, whatever the rank."""

from collections.abc import Callable
from math import prod
from pathlib import Path
from random import Random

import numpy as np
import pytest
from ncnn_opt.driver.environment import make_context
from ncnn_opt.driver.pipelines import run_pipeline
from ncnn_opt.frontends.mlir.parsing import parse_ir
from ncnn_opt.targets.param.export import export_module
from ncnn_opt.transforms import REPAIR

from .amount import examples
from .compiler import load, save
from .runtime import Array, Failure, Runtime

Shape = tuple[int, ...]


class Chain:
    """Operators one after the other, as text, and what NumPy makes of them."""

    def __init__(self, x: Array) -> None:
        self.x = self.value = x
        self.lines: list[str] = []
        self.names = 0

    def start(self, shape: Shape) -> None:
        """The flat input as a tensor."""
        self.value = self.x.reshape(shape)
        self.lines.append(f"%v0 = pnnx.cast %x : tensor<{self.x.size}xf32> to {tensor(shape)}")

    def op(self, kind: str, params: str, result: Array, others: str = "", types: str = "") -> None:
        """An operator on the last value."""
        old, self.names = f"%v{self.names}", self.names + 1
        self.lines.append(
            f'%v{self.names} = pnnx.op "{kind}" "op{self.names}"({old}{others}) '
            f"{{params = {{{params}}}}} : ({tensor(self.value.shape)}{types}) -> "
            f"{tensor(result.shape)}"
        )
        self.value = result

    def text(self) -> str:
        """The function."""
        body = "\n  ".join(self.lines)
        size = self.value.size
        return (
            f'func.func @main(%x: tensor<{self.x.size}xf32> {{ncnn.blob = "x"}}) -> '
            f'(tensor<{size}xf32> {{ncnn.blob = "y"}}) {{\n  {body}\n'
            f"  %y = pnnx.cast %v{self.names} : {tensor(self.value.shape)} to tensor<{size}xf32>\n"
            f'  %z = ncnn.relu %y {{name = "y", slope = 1.0}} : (tensor<{size}xf32>) -> '
            f"tensor<{size}xf32>\n  func.return %z : tensor<{size}xf32>\n}}\n"
        )


def tensor(shape: Shape) -> str:
    return f"tensor<{'x'.join(map(str, shape))}xf32>"


def ints(values: object) -> str:
    return f"array<i32: {', '.join(map(str, list(values)))}>"  # pyright: ignore


def factors(random: Random, count: int, most: int = 8) -> Shape:
    shape = [1] * random.randint(1, most)
    for prime in (2, 3, 5, 7):
        while count % prime == 0:
            shape[random.randrange(len(shape))] *= prime
            count //= prime
    return tuple(shape)


def permute(chain: Chain, random: Random) -> None:
    order = random.sample(range(chain.value.ndim), chain.value.ndim)
    chain.op("Tensor.permute", f"dims = {ints(order)}", chain.value.transpose(order))


def reshape(chain: Chain, random: Random) -> None:
    shape = factors(random, chain.value.size)
    chain.op("Tensor.reshape", f"shape = {ints(shape)}", chain.value.reshape(shape))


def cut(chain: Chain, random: Random) -> None:
    axis = random.randrange(chain.value.ndim)
    size = chain.value.shape[axis]
    start, step = random.randrange(size), random.randint(1, 4)
    stop = random.randint(start + 1, size)
    index = (slice(None),) * axis + (slice(start, stop, step),)
    chain.op(
        "Tensor.slice",
        f"dim = {axis} : i32, start = {start} : i32, end = {stop} : i32, step = {step} : i32",
        chain.value[index],
    )


def select(chain: Chain, random: Random) -> None:
    if chain.value.ndim > 1:
        axis = random.randrange(chain.value.ndim)
        index = random.randrange(chain.value.shape[axis])
        params = f"dim = {axis - chain.value.ndim} : i32, index = {index} : i32"
        chain.op("Tensor.select", params, chain.value.take(index, axis))


def stack(chain: Chain, random: Random) -> None:
    axis = random.randint(0, chain.value.ndim)
    both = np.stack([chain.value, chain.value], axis)
    more = f", {tensor(chain.value.shape)}"
    chain.op("torch.stack", f"dim = {axis} : i32", both, f", %v{chain.names}", more)


def compute(chain: Chain, random: Random) -> None:
    y = 1 - np.abs(chain.value * np.float32(0.5)) / 2
    chain.op("pnnx.Expression", 'expr = "sub(1,div(abs(mul(@0,0.5)),2))"', y)


def normalize(chain: Chain, random: Random) -> None:
    axis = random.randrange(chain.value.ndim)
    norm = np.sqrt((chain.value.astype("f8") ** 2).sum(axis, keepdims=True))
    y = (chain.value / np.maximum(norm, 1e-12)).astype("f4")
    chain.op("F.normalize", f"dim = {axis} : i32, eps = 1.0e-12 : f32, p = 2.0 : f32", y)


STEPS: dict[str, tuple[Callable[[Chain, Random], None], ...]] = {
    "movement": (permute, permute, reshape),
    "all": (permute, reshape, cut, cut, select, stack, compute, normalize),
}


def check(chain: Chain, runtime: Runtime, folder: Path) -> None:
    """Legalizes the operators, and compares what the runtime makes of the layers."""
    module = parse_ir(make_context(), chain.text().encode(), "chain")
    run_pipeline(module, ",".join(REPAIR))
    export = export_module(module)
    param = folder / "chain.param"
    param.write_text(export.param_text())
    param.with_suffix(".bin").touch()
    got = runtime.run(param, {"x": chain.x}, ["y"])
    assert not isinstance(got, Failure), (got, chain.text(), param.read_text())
    assert np.allclose(got["y"], chain.value.reshape(-1), rtol=1e-5, atol=1e-6), chain.text()


@pytest.mark.parametrize("steps", STEPS)
def test_random_chains(steps: str, runtime: Runtime, tmp_path: Path) -> None:
    random = Random(steps)
    for _ in range(examples(30)):
        count = random.choice([48, 60, 96, 120, 210, 360])
        x = np.random.default_rng(random.randrange(1 << 30)).standard_normal(count).astype("f4")
        chain = Chain(x)
        chain.start(factors(random, count))
        for _ in range(random.randint(1, 4)):
            random.choice(STEPS[steps])(chain, random)
        check(chain, runtime, tmp_path)


def test_unbind_and_operands_that_broadcast(runtime: Runtime, tmp_path: Path) -> None:
    random = Random(3)
    for _ in range(examples(20)):
        shape = tuple(random.choice([1, 2, 3]) for _ in range(random.randint(2, 7)))
        x = np.random.default_rng(random.randrange(99)).standard_normal(prod(shape)).astype("f4")
        chain = Chain(x)
        chain.start(shape)
        results = ", ".join(f"%p{i}" for i in range(shape[0]))
        part = tensor(shape[1:])
        chain.lines.append(
            f'{results} = pnnx.op "torch.unbind" "u"(%v0) {{params = {{dim = 0 : i32}}}} : '
            f"({tensor(shape)}) -> ({', '.join([part] * shape[0])})"
        )
        number = random.randrange(shape[0])
        product = chain.value * chain.value[number]
        chain.op("pnnx.Expression", 'expr = "mul(@0,@1)"', product, f", %p{number}", f", {part}")
        check(chain, runtime, tmp_path)


def test_each_sequence_of_a_batch_has_its_own_mask(runtime: Runtime, tmp_path: Path) -> None:
    windows, heads, steps, width = 4, 2, 3, 4
    rng = np.random.default_rng(5)
    x, masks = rng.normal(size=(windows * steps, width)), rng.normal(size=(8, steps, steps))
    weights = [rng.normal(size=shape).astype("f4") for shape in ((width, width), (width,)) * 4]

    def net(stem: str, count: int, mask: Array) -> Path:
        batch = f"2={count} 13=0" if count > 1 else ""
        extents = f"0={steps} 1={steps} 2={mask.shape[0]}"
        text = (
            "7767517\n5 5\nInput x 0 1 x\n"
            f"MemoryData m 0 1 m {extents}\nReshape q 1 1 x q 0={width} 1={steps} {batch}\n"
            f"MultiHeadAttention a 2 1 q m a 0={width} 1={heads} 2={width * width} 5=1\n"
            f"Reshape y 1 1 a y 0={width} 1={count * steps} {'12=0' if count > 1 else ''}\n"
        )
        path = tmp_path / f"{stem}.param"
        path.write_text(text)
        tagged = (bytes(4 * (w.ndim == 2)) + w.tobytes() for w in weights)
        path.with_suffix(".bin").write_bytes(mask.astype("f4").tobytes() + b"".join(tagged))
        return path

    module = load(net("all", windows, masks))
    run_pipeline(module, "legalize-pnnx-mask")
    blobs = runtime.run(save(module, tmp_path / "repaired.param"), {"x": x.astype("f4")}, ["y"])
    assert not isinstance(blobs, Failure), blobs
    for i, part in enumerate(np.split(x.astype("f4"), windows)):
        alone = runtime.run(net("one", 1, masks[i * heads :][:heads]), {"x": part}, ["y"])
        assert not isinstance(alone, Failure), alone
        assert np.abs(alone["y"] - blobs["y"][i * steps :][:steps]).max() < 1e-5
