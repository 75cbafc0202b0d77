"""IR that no `.param` gives: inputs that are returned, and values that are returned twice, have in
the runtime the names that the IR says."""

from pathlib import Path

import numpy as np
import pytest

from .compiler import command
from .param_files import read_lines
from .runtime import Array, Failure, Runtime


def ir(signature: str, *body: str) -> str:
    lines = "\n".join(f"  {line}" for line in body)
    return f"func.func @main{signature} {{\n{lines}\n}}\n"


def blob(name: str) -> str:
    return f'{{ncnn.blob = "{name}"}}'


T = "tensor<3x4xf32>"

RETURNS: dict[str, tuple[str, dict[str, str]]] = {
    "an input under another name": (
        ir(f"(%x: {T} {blob('data')}) -> ({T} {blob('out')})", f"func.return %x : {T}"),
        {"out": "data"},
    ),
    "an input under two other names": (
        ir(
            f"(%x: {T} {blob('data')}) -> ({T} {blob('a')}, {T} {blob('b')})",
            f"func.return %x, %x : {T}, {T}",
        ),
        {"a": "data", "b": "data"},
    ),
    "an input under its own name": (
        ir(
            f"(%x: {T} {blob('data')}) -> ({T} {blob('data')}, {T} {blob('abs')})",
            f'%y = ncnn.absval %x {{name = "abs"}} : ({T}) -> {T}',
            f"func.return %x, %y : {T}, {T}",
        ),
        {"data": "data", "abs": "abs"},
    ),
    "a value under two names": (
        ir(
            f"(%x: {T} {blob('data')}) -> ({T} {blob('a')}, {T} {blob('b')})",
            f'%y = ncnn.absval %x {{name = "abs"}} : ({T}) -> {T}',
            f"func.return %y, %y : {T}, {T}",
        ),
        {"a": "abs", "b": "abs"},
    ),
    "a value that is read, too": (
        ir(
            f"(%x: {T} {blob('data')}) -> ({T} {blob('a')}, {T} {blob('b')})",
            f'%y = ncnn.absval %x {{name = "abs"}} : ({T}) -> {T}',
            f'%z = ncnn.absval %y {{name = "again"}} : ({T}) -> {T}',
            f"func.return %y, %z : {T}, {T}",
        ),
        {"a": "abs", "b": "abs"},
    ),
    "inputs the other way round": (
        ir(
            f"(%x: {T} {blob('a')}, %y: {T} {blob('b')}) -> ({T} {blob('c')}, {T} {blob('d')})",
            f"func.return %y, %x : {T}, {T}",
        ),
        {"c": "b", "d": "a"},
    ),
    "without any name": (
        ir(f"(%x: {T}) -> {T}", f"%y = ncnn.absval %x : ({T}) -> {T}", f"func.return %y : {T}"),
        {"out0": "abs"},
    ),
}
"""Which value each output must have: that of an input, or `abs`."""


@pytest.mark.parametrize("what", RETURNS)
@pytest.mark.parametrize("options", [[], ["-O"]], ids=["plain", "optimized"])
def test_ir_returns_values_under_the_names_it_says(
    what: str,
    options: list[str],
    runtime: Runtime,
    tmp_path: Path,
) -> None:
    text, outputs = RETURNS[what]
    command(*options, "-o", tmp_path / "net.param", text=text)
    names = [line.tops[0] for line in read_lines(tmp_path / "net.param") if line.kind == "Input"]
    rng = np.random.default_rng(0)
    inputs: dict[str, Array] = {n: rng.standard_normal((3, 4)).astype("f4") for n in names}
    known = inputs | {"abs": np.abs(next(iter(inputs.values())))}
    expected = {name: known[source] for name, source in outputs.items()}
    actual = runtime.run(tmp_path / "net.param", inputs, list(outputs))
    assert not isinstance(actual, Failure), actual
    for name, values in expected.items():
        np.testing.assert_array_equal(actual[name], values)
