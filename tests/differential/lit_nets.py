"""Models of the lit tests with other numbers in some layers: what passes are about, and
a little beside it."""

import io
import random
import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, cast

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st
from ncnn_opt.dialects.ncnn.function import input_name
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.driver.environment import make_context
from ncnn_opt.formats.errors import FormatError
from ncnn_opt.frontends.mlir.parsing import parse_ir
from ncnn_opt.interpreters.ncnn import semantics_of
from ncnn_opt.targets.param.export import export_module
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import VerifyException

from .compiler import load
from .nets import Dress, Net, Shape, extents
from .reference import compute

FOLDERS = ("conversion/ncnn-to-fused", "transforms")
ROOT = Path(__file__).parents[1] / "filecheck"

MOST_ELEMENTS = 5000
"""Of an input."""

NUMBER = re.compile(r"(\d+)=(-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)")
"""A parameter that is one number."""


class Written(NamedTuple):
    """A function of a lit test as a model."""

    text: str
    weights: bytes
    inputs: dict[str, Shape | None]
    """The extents of the inputs, -1 for each that is not known; `None` for an unknown rank."""


@cache
def tests() -> list[Path]:
    """The lit tests with functions."""
    return sorted(path for name in FOLDERS for path in (ROOT / name).rglob("*.mlir"))


@cache
def functions(path: Path) -> list[Written]:
    """The functions of a lit test that a `.param` can express."""
    context = make_context()
    found: list[Written] = []
    for part in path.read_text("utf-8").split("// -----"):
        try:
            module = parse_ir(context, part.encode(), str(path))
            module.verify()
        except Exception:  # tests of what is not valid
            continue
        for func in [op for op in module.ops if isinstance(op, FuncOp) and op.body.blocks]:
            try:
                found.append(_written(func.clone()))
            except Exception:  # what has no file: other dialects, computed weights
                continue
    return found


def _written(func: FuncOp) -> Written:
    inputs: dict[str, Shape | None] = {}
    for i, arg in enumerate(func.body.block.args):
        ranked = isinstance(arg.type, TensorType)
        shape = cast(TensorType[Any], arg.type).get_shape() if ranked else None
        inputs[input_name(func, i)] = None if shape is None else tuple(max(n, -1) for n in shape)
    export, weights = export_module(ModuleOp([func])), io.BytesIO()
    export.write_bin(weights)
    return Written(export.param_text(), weights.getvalue(), inputs)


class Mutant:
    """A model of a lit test with changed numbers, and extents for its inputs."""

    def __init__(self, written: Written, seed: int, changes: int) -> None:
        self.written = written
        self.seed = seed
        self.changes = changes

    def build(self, dress: Dress) -> Net:
        """The net. A dress changes the values of its inputs only."""
        rng = random.Random(self.seed)
        shapes = {name: _extents(shape, rng) for name, shape in self.written.inputs.items()}
        arrays = np.random.default_rng(self.seed)
        inputs = {
            name: arrays.standard_normal(shape).astype("f4")
            if dress.values is None
            else dress.values(arrays, shape)
            for name, shape in shapes.items()
        }
        lines = self.written.text.splitlines()
        for i in range(2, len(lines)):
            words = lines[i].split()
            if words[0] == "Input" and words[4] in shapes:
                undeclared = dress.undeclared or self.written.inputs[words[4]] is None
                told = {} if undeclared else extents(shapes[words[4]])
                lines[i] = " ".join([*words[:5], *(f"{k}={n}" for k, n in told.items())])
        for _ in range(self.changes):
            at = rng.randrange(2, len(lines))
            found = list(NUMBER.finditer(lines[at]))
            if found and not lines[at].startswith(("Input", "MemoryData")):
                one = rng.choice(found)
                lines[at] = (
                    f"{lines[at][: one.start(2)]}{_other(one[2], rng)}{lines[at][one.end(2) :]}"
                )
        net = Net.of("\n".join(lines), self.written.weights, inputs)
        net.dress = dress
        assume((module := model_of_files(net)) is not None and takes_inputs(module, net))
        return net


def model_of_files(net: Net) -> ModuleOp | None:
    """The model; `None` if the reader refuses its files: weights may not fit a number."""
    with TemporaryDirectory() as folder:
        try:
            return load(net.write(Path(folder)))
        except (FormatError, VerifyException):
            return None


def takes_inputs(module: ModuleOp, net: Net) -> bool:
    """Whether the layers take the inputs. (Of a Reshape to a constant shape, the runtime takes as
    many of the blob's elements as it needs, and leaves the rest.)"""
    layers = (op for op in module.walk() if isinstance(op, LayerOp))
    if any(semantics_of(type(op)) is None for op in layers):
        return True
    return compute(module, net.inputs) is not None


def _extents(shape: Shape | None, rng: random.Random) -> Shape:
    if shape is None:
        shape = (-1,) * rng.randint(1, 4)
    known = tuple(n if n > 0 else rng.randint(1, 6) for n in shape)
    return known if np.prod(known) <= MOST_ELEMENTS else tuple(min(n, 6) for n in known)


def _other(number: str, rng: random.Random) -> str:
    if number.lstrip("-").isdecimal():
        n = int(number)
        return str(rng.choice([n + 1, n - 1, -n, 0, 1, 2, -1, -233]))
    return f"{rng.choice([0.0, 1.0, -1.0, 6.0, 2 * float(number), -float(number)]):e}"


@st.composite
def lit_nets(draw: st.DrawFn) -> Mutant:
    """A function of a lit test, with up to three numbers of its layers changed."""
    written = draw(st.sampled_from(tests()).map(functions).filter(bool).flatmap(st.sampled_from))
    return Mutant(written, draw(st.integers(0, 9999)), draw(st.integers(0, 3)))
