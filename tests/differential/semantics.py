"""Reference semantics against the runtime: the cases of each family of layers, and how one is
compared. A family is a module of `dialects/ncnn`; its cases are those of its layers in
`shapes_a.txt` and those in `values/<family>.txt`."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn import BY_TYPE, LAYERS
from ncnn_opt.interpreters.ncnn.functions import NcnnFunctions
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.interpreter import Interpreter
from xdsl.interpreters.func import FuncFunctions

from .compiler import load
from .layer_cases import Case, has_layer, net_of, read_cases
from .runtime import Failure, Runtime

ncnn: Any = pytest.importorskip("ncnn")

Array = NDArray[Any]

TOLERANCE = 1e-5
"""The greatest error, relative to the output's largest value."""

NOT_COMPARED: Mapping[str, str] = {
    "ArgMax": "the runtime's package is built without it",
    "SPP": "the runtime's package is built without it",
}
"""Layer types without cases here, and why."""

_POW = "its x86 code is exp(b * log(a)), for a > 0 only"
_CACHE = "the x86 code packs the cache for the processor: a format of its own"
_QUOTIENT = "its x86 code rounds the quotient, also across the integer that it is"

DIFFERENT: Mapping[str, str] = {
    "Reshape 4x4x5x8 | 2=0 1=4 0=40": "the runtime takes the extent of packed channels for theirs",
    'Reshape 4x6 | 6="round(pow(2,3)),-1"': "not evaluated: the last bit is the C library's",
    "Interp 2x6x5 4x8 | 0=1 5=1": "the runtime takes the extent of packed rows for theirs",
    "Interp 2x6x5 8 | 0=1 5=1": "the runtime takes the extent of packed elements for theirs",
    "Cast 2x3x4 | 0=1 1=4": "the runtime's package takes it for float16; see the tests of Cast",
    "GridSample 1x4x2 1x1x2 | 0=3 1=3 2=1 | | =1,100 =1.39,0.3": "x86 code clamps reflections, too",
    "UnaryOp 3 | 0=15 | | =inf,4,-2": "its x86 code refines an estimate of 1 / x: NaN for infinity",
    "BinaryOp 4 | 0=3 1=1 2=0.0 | | =1,-1,2,-3": "its x86 code multiplies by 1 / b: NaN for b = 0",
    "BinaryOp 5 | 0=6 1=1 2=2.0 | | =-2,-1,0,1,3": _POW,
    "BinaryOp 5 | 0=6 1=1 2=0.5 | | =0,1,2,3,4": _POW,
    "BinaryOp 8 | 0=12 1=1 2=-2.0 | | =5,-5,4,-4,0.5,-0.5,0,3": _QUOTIENT,
    "BinaryOp 8 | 0=15 1=1 2=-2.0 | | =5,-5,4,-4,0.5,-0.5,0,3": _QUOTIENT,
    "BinaryOp 8 | 0=17 1=1 2=2.0 | | =5,-5,3,-3,1,-1,7,2.5": "its x86 code rounds halves up",
    "ConvolutionDepthWise 8x7x8 | 0=8 1=3 6=72 7=8 8=1": "its x86 code estimates 1 / scale",
    "Deconvolution 3x4x5 | 0=4 1=3 3=2 4=-234 20=10 6=108": "the runtime reads before its memory",
    "SDPA 4x5x8 4x5x8 4x5x6 5x8 4x3x8 4x3x6 | 5=1 7=1 | 3": _CACHE,
    "SDPA 4x5x8 2x5x8 2x5x6 2x3x8 2x3x6 | 7=1 | 3": _CACHE,
}
"""Cases of which the semantics make something else than the runtime (or nothing), and why."""

_PADDED = "the runtime does not set the elements that fill up the last packed one"

UNDEFINED: Mapping[str, str] = {
    "Packing 6x3x5 | 0=4 1=1": _PADDED,
    "Packing 2x3x4x5 | 0=4 1=1": _PADDED,
    "Packing 5x4 | 0=8 1=1": _PADDED,
}
"""Cases of which the runtime makes what happens to be in memory, and why."""


@cache
def all_cases() -> Mapping[str, list[Case]]:
    """The cases by family."""
    folder = Path(__file__).parent
    sections = read_cases(folder / "shapes_a.txt")
    cases = [case for name, section in sections.items() if name != "refused" for case in section]
    for path in sorted((folder / "values").glob("*.txt")):
        own = read_cases(path)[""]
        assert all(family_of(case.type) == path.stem for case in own)
        cases += own
    families: dict[str, list[Case]] = {family_of(cls.LAYER_TYPE): [] for cls in LAYERS}
    for case in cases:
        families[family_of(case.type)].append(case)
    return families


def family_of(layer_type: str) -> str:
    """The module of `dialects/ncnn` that declares a layer."""
    return BY_TYPE[layer_type].__module__.rpartition(".")[2]


def cases_of(family: ModuleType) -> list[Case]:
    """The cases of the layers that a module declares, to be compared."""
    cases = all_cases()[family.__name__.rpartition(".")[2]]
    left_out = {*DIFFERENT, *UNDEFINED}
    return [c for c in cases if c.type not in NOT_COMPARED and c.line not in left_out]


def compare(case: Case, runtime: Runtime, folder: Path) -> None:
    """Asserts that the interpreter makes of the net of a case what the runtime makes of it."""
    assert has_layer(ncnn, case)
    net = net_of(case)
    param = net.write(folder)
    expected = runtime.run(param, net.inputs, net.outputs)
    assert not isinstance(expected, Failure), expected
    given = {name: value.copy() for name, value in net.inputs.items()}
    actual = interpret(param, given)
    assert all(np.array_equal(given[n], net.inputs[n], equal_nan=True) for n in given)
    assert len(actual) == len(net.outputs)
    for name, value in zip(net.outputs, actual, strict=True):
        assert_equal(value, expected[name])


def interpret(param: Path, inputs: Mapping[str, Array]) -> tuple[Array, ...]:
    """The outputs of a model, by the interpreter alone."""
    return interpret_module(load(param), inputs)


def interpret_module(module: ModuleOp, inputs: Mapping[str, Array]) -> tuple[Array, ...]:
    """The outputs of a module, by the interpreter alone."""
    main = next(op for op in module.body.block.ops if isinstance(op, FuncOp))
    interpreter = Interpreter(module)
    interpreter.register_implementations(FuncFunctions())
    interpreter.register_implementations(NcnnFunctions())
    names = [attrs.data["ncnn.blob"] for attrs in main.arg_attrs or ()]
    values = (inputs[name.data] for name in names if isinstance(name, StringAttr))
    return interpreter.call_op(main, tuple(values))


def assert_equal(actual: Array, expected: Array) -> None:
    """Asserts the same shape, element type and values, NaN and infinities where they are."""
    if actual.dtype == np.int8:
        actual = actual.astype("f4")  # that is what the runtime's extractor makes of int8
    assert (actual.shape, actual.dtype) == (expected.shape, expected.dtype)
    assert error(actual, expected) <= TOLERANCE, (actual, expected)


def error(actual: Array, expected: Array) -> float:
    """The greatest error, relative to the largest of the expected values."""
    a, b = actual.astype("f8"), expected.astype("f8")
    finite = np.isfinite(b)
    if not np.array_equal(a[~finite], b[~finite], equal_nan=True):
        return np.inf
    difference = np.abs(a[finite] - b[finite]).max(initial=0)
    return float(difference) / float(np.abs(b[finite]).max(initial=0) or 1)
