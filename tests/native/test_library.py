"""Models as shared libraries: a function of C, called from C and from Python."""

import ctypes
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.native.errors import NativeError
from ncnn_opt.native.library import save_library
from ncnn_opt.native.llvm import find_tools
from ncnn_opt.native.options import CompileOptions
from ncnn_opt.targets.output_checks import OutputError

import ncnn_opt

# Weights, a border that is copied apart from what it surrounds, and exp of the C library.
NET = """7767517
6 7
Input data 0 1 data 0=6 1=5 2=3
Convolution conv 1 1 data a 0=8 1=3 4=1 5=1 6=216 9=1
Split split 1 2 a a1 a2
Padding pad 1 1 a1 p 0=1 1=2 2=0 3=1 4=0 5=0.5
InnerProduct fc 1 1 a2 fc:0 0=40 1=1 2=9600
Softmax prob 1 1 fc:0 prob 0=0
"""


@pytest.fixture
def model(tmp_path: Path) -> Any:
    (tmp_path / "net.param").write_text(NET)
    return ncnn_opt.load(tmp_path / "net.param", weights="random:3")


def needs_llvm() -> None:
    try:
        find_tools()
    except NativeError as e:
        pytest.skip(str(e))


def test_the_library_computes_what_the_reference_does(model: Any, tmp_path: Path) -> None:
    needs_llvm()
    path = tmp_path / "my-net.so"
    written = save_library(model.module.clone(), str(path))
    assert written == [str(path), str(tmp_path / "my-net.h")]
    x = np.random.default_rng(1).standard_normal((3, 5, 6)).astype("f4")
    expected = model.run({"data": x})
    assert list(expected) == ["p", "prob"]
    found = {name: np.full_like(value, np.nan) for name, value in expected.items()}
    function = ctypes.CDLL(str(path)).run_my_net
    function.restype = None
    function(*(ctypes.c_void_p(v.ctypes.data) for v in (x, *found.values())))
    for name, value in expected.items():
        np.testing.assert_allclose(found[name], value, rtol=1e-5, atol=1e-6)


RECURRENT = """7767517
3 3
Input data 0 1 data 0=6 1=9
LSTM lstm 1 1 data a 0=5 1=240 2=2
GRU gru 1 1 a y 0=4 1=120
"""


def test_recurrent_layers_are_loops(tmp_path: Path) -> None:
    needs_llvm()
    (tmp_path / "net.param").write_text(RECURRENT)
    model = ncnn_opt.load(tmp_path / "net.param", weights="random:3")
    save_library(model.module.clone(), str(tmp_path / "net.so"))
    function = ctypes.CDLL(str(tmp_path / "net.so")).run_net
    function.restype = None
    for seed in (1, 2):  # nothing is left over from the first time
        x = np.random.default_rng(seed).standard_normal((9, 6)).astype("f4")
        (expected,) = model.run({"data": x}).values()
        found = np.full_like(expected, np.nan)
        function(ctypes.c_void_p(x.ctypes.data), ctypes.c_void_p(found.ctypes.data))
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def test_the_header_is_that_of_the_library(model: Any, tmp_path: Path) -> None:
    needs_llvm()
    save_library(model.module.clone(), str(tmp_path / "net.so"))
    (tmp_path / "main.c").write_text(
        '#include "net.h"\n#include <stdio.h>\n'
        "float x[3 * 5 * 6], p[8 * 8 * 7], prob[40];\n"
        "int main(void) {\n"
        "  run_net(x, p, prob);\n"
        "  float sum = 0;\n"
        "  for (int i = 0; i < 40; i++) sum += prob[i];\n"
        '  printf("%.4f %.1f\\n", sum, p[0]);\n'
        "}\n"
    )
    program = tmp_path / "main"
    files = [str(tmp_path / "main.c"), str(tmp_path / "net.so")]
    flags = ["-Wall", "-Wextra", "-Werror", f"-Wl,-rpath,{tmp_path}"]
    subprocess.run([find_tools().clang, *flags, *files, "-o", str(program)], check=True)
    done = subprocess.run([str(program)], capture_output=True, text=True, check=True)
    assert done.stdout == "1.0000 0.5\n"


def test_a_header_of_somebody_else_stays(model: Any, tmp_path: Path) -> None:
    (tmp_path / "net.h").write_text("/* mine */\n")
    with pytest.raises(OutputError, match=r"net.h' is not a header of ncnn-opt"):
        save_library(model.module.clone(), str(tmp_path / "net.so"))
    assert (tmp_path / "net.h").read_text() == "/* mine */\n"
    assert not (tmp_path / "net.so").exists()


def test_what_a_library_is_not_for(model: Any, tmp_path: Path) -> None:
    with pytest.raises(NativeError, match="for a CPU, not for cuda"):
        save_library(model.module.clone(), str(tmp_path / "net.so"), CompileOptions(target="cuda"))


def test_tools_that_are_missing_or_too_old(
    model: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    find_tools.cache_clear()
    with pytest.raises(NativeError, match="needs mlir-opt of LLVM 22 or newer"):
        save_library(model.module.clone(), str(tmp_path / "net.so"))
    old = tmp_path / "mlir-opt"
    old.write_text('#!/bin/sh\necho "Debian LLVM version 19.1.7"\n')
    old.chmod(0o755)
    with pytest.raises(NativeError, match="is of LLVM 19; 22 or newer is needed"):
        save_library(model.module.clone(), str(tmp_path / "net.so"))
    find_tools.cache_clear()
