"""`ncnn-reduce` on faults in nets of 300 layers: layers before and after, tests and time."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from time import monotonic

from ncnn_opt.dialects.ncnn import BY_TYPE
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.driver.reducing.failures import Differs, Ends, FailureTest, PassCrashes, Script
from ncnn_opt.driver.reducing.operators import find_wrong_operator
from ncnn_opt.driver.reducing.reducer import Reducer
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.transforms.edits.naming import file_layers
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from .measuring import print_table

LAYERS = 300


def net(path: Path, odd: str = "", layers: int = LAYERS) -> Path:
    """Write a net of residual blocks. In the middle are the lines of `odd`, which read `{}` and
    write blob `odd`."""
    lines, last, k = ["Input in0 0 1 in0 0=8 1=8 2=8"], "in0", 0
    while len(lines) < layers:
        if odd and len(lines) >= layers // 2:
            lines += odd.format(last).splitlines()
            last, odd = "odd", ""
        lines += [
            f"Split s{k} 1 2 {last} a{k} b{k}",
            f"Convolution c{k} 1 1 a{k} c{k} 0=8 1=3 4=1 5=1 6=576",
            f"BatchNorm n{k} 1 1 c{k} n{k} 0=8",
            f"ReLU r{k} 1 1 n{k} r{k}",
            f"BinaryOp o{k} 2 1 r{k} b{k} o{k} 0=0",
        ]
        last, k = f"o{k}", k + 1
    blobs = sum(int(line.split()[3]) for line in lines)
    path.write_text(f"7767517\n{len(lines)} {blobs}\n" + "\n".join(lines) + "\n")
    return path


@dataclass(frozen=True)
class _Wrong(ModulePass):
    """A pass that changes the layers that `change` selects."""

    name = "wrong"
    change: Callable[[list[LayerOp]], None]

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        self.change(file_layers(model_of(op)))


def _replace(op: LayerOp, type_: str) -> None:
    new = BY_TYPE[type_].make([op.operands[0]], {}, [op.results[0].type], {})
    Rewriter.insert_op(new, InsertPoint.before(op))
    op.results[0].replace_all_uses_with(new.results[0])
    Rewriter.erase_op(op)


def _remove(op: LayerOp) -> None:
    op.results[0].replace_all_uses_with(op.operands[0])
    Rewriter.erase_op(op)


def _type(op: object) -> str:
    return str(getattr(op, "LAYER_TYPE", ""))


def swish_is_relu(layers: list[LayerOp]) -> None:
    """Replace each Swish by a ReLU."""
    for op in [op for op in layers if _type(op) == "Swish"]:
        _replace(op, "ReLU")


def drop_one_batchnorm(layers: list[LayerOp]) -> None:
    """Remove one BatchNorm of all."""
    found = [op for op in layers if _type(op) == "BatchNorm"]
    for op in found[len(found) // 2 :][:1]:
        _remove(op)


def drop_relu_before_add(layers: list[LayerOp]) -> None:
    """Remove each ReLU between a BatchNorm and a BinaryOp."""
    for op in [op for op in layers if _type(op) == "ReLU"]:
        users = [_type(use.operation) for use in op.results[0].uses]
        if _type(op.operands[0].owner) == "BatchNorm" and set(users) == {"BinaryOp"}:
            _remove(op)


def fail(layers: list[LayerOp]) -> None:
    """Fail for a Swish behind an addition."""
    for op in layers:
        if _type(op) == "Swish" and _type(op.operands[0].owner) == "BinaryOp":
            raise KeyError("Swish")


SCRIPT = """import sys
text = open(sys.argv[-1]).read()
sys.exit(int("Swish" in text and "BatchNorm" in text))
"""

SOURCE = """import torch

def net(x):
    for k in range(149):
        x = 3 - torch.abs(x)
    return torch.softmax(torch.sigmoid(x) * 2, 1)

def make():
    return net, torch.linspace(-3, 3, 24).reshape(1, 3, 8)
"""

SWISH = "Swish odd 1 1 {} odd"

OVERFLOW = "MemoryData k 0 1 k 0=8000 1=8 2=8\nConcat odd 2 1 {} k odd 0=0"
"""A Concat of blobs with different extents. The runtime allocates the extents of the first one, and
writes outside of them."""


def of_source(path: Path) -> Path:
    """Write the net of `SOURCE` with a TanH in place of a Sigmoid."""
    lines, last = ["Input in0 0 1 in0 0=8 1=3"], "in0"
    for k in range(149):
        lines.append(f"AbsVal a{k} 1 1 {last} a{k}")
        lines.append(f"BinaryOp s{k} 1 1 a{k} s{k} 0=7 1=1 2=3.0")
        last = f"s{k}"
    lines.append(f"TanH odd 1 1 {last} odd")
    lines.append("BinaryOp two 1 1 odd two 0=2 1=1 2=2.0")
    lines.append("Softmax end 1 1 two out0 0=0 1=1")
    path.write_text(f"7767517\n{len(lines)} {len(lines)}\n" + "\n".join(lines) + "\n")
    return path


def measure(folder: Path, python: Path | None) -> None:
    """Print the table. `python` is the Python of an environment with an old release of ncnn."""
    script = folder / "check.py"
    script.write_text(SCRIPT)
    faults: list[tuple[str, str, Callable[[], FailureTest]]] = [
        ("a pass replaces a Swish by a ReLU", SWISH, lambda: Differs([_Wrong(swish_is_relu)])),
        ("a pass removes one BatchNorm of 60", "", lambda: Differs([_Wrong(drop_one_batchnorm)])),
        (
            "a pass removes ReLUs between BatchNorm and BinaryOp",
            "",
            lambda: Differs([_Wrong(drop_relu_before_add)]),
        ),
        ("a pass fails for a Swish behind a BinaryOp", SWISH, lambda: PassCrashes([_Wrong(fail)])),
        ("a layer that ncnn lacks", "MyLayer odd 1 1 {} odd", lambda: Ends(False)),
        ("an operator that PNNX left", "torch.roll odd 1 1 {} odd", lambda: Ends(False)),
        ("a crash of the runtime (SIGSEGV)", OVERFLOW, lambda: Ends(True)),
        (
            "a command: a Swish and a BatchNorm",
            SWISH,
            lambda: Script(f"{sys.executable} {script}", 60),
        ),
    ]
    if python is not None:
        rms = "RMSNorm odd 1 1 {} odd 0=8 1=0.001 2=0"
        faults.append(("a layer that an old release lacks", rms, lambda: Ends(False, str(python))))
    rows = [_reduced(folder, *fault) for fault in faults]
    if find_spec("torch") is not None:
        rows.append(_of_source(folder))
    head = ["fault", "layers", "types", "tests", "s"]
    print_table("ncnn-reduce", head, rows)


def _reduced(folder: Path, name: str, odd: str, test: Callable[[], FailureTest]) -> list[str]:
    module = read_model(str(net(folder / "m.param", odd)), ReadOptions("random:1")).module
    begun = monotonic()
    with test() as entered:
        reducer = Reducer(module, entered, lambda text: None)
        if reducer.failure is None:
            return [name, str(LAYERS), "does not fail", "", ""]
        made = reducer.reduce()
    return _row(name, module, made, str(reducer.tests), monotonic() - begun)


def _of_source(folder: Path) -> list[str]:
    source = folder / "source.py"
    source.write_text(SOURCE)
    module = read_model(str(of_source(folder / "m.param")), ReadOptions("none")).module
    begun = monotonic()
    name = "an operator that differs from PyTorch"
    found = find_wrong_operator(module, "m.param", f"{source}:make", 1e-3)
    if found is None:
        return [name, str(LAYERS), "does not fail", "", ""]
    return _row(name, module, found.module, "1", monotonic() - begun)


def _row(name: str, module: ModuleOp, made: ModuleOp, tests: str, seconds: float) -> list[str]:
    before, after = (file_layers(model_of(each)) for each in (module, made))
    types = ", ".join(op.label().split(" ")[0] for op in after)
    return [name, f"{len(before)} → {len(after)}", types, tests, f"{seconds:.0f}"]
