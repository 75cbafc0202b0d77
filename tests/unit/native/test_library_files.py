"""Shared libraries, with scripts in the place of LLVM's programs: which one is taken, and what each
of them is given."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.native.c_code import CFunction
from ncnn_opt.native.errors import NativeError
from ncnn_opt.native.library import save_library
from ncnn_opt.native.llvm import find_tool, find_tools
from ncnn_opt.native.lowering import Port, lower
from ncnn_opt.native.options import CompileOptions
from xdsl.dialects.builtin import ModuleOp

import ncnn_opt

NET = """7767517
2 2
Input data 0 1 data 0=6 1=4
InnerProduct fc 1 1 data out 0=40 2=240
"""

CHAIN = """#!/bin/sh
case "$1" in --version) echo "version 22.1.0"; exit;; esac
source=$1
while [ "$1" != -o ]; do
  case "$1" in *.mlir|*.llvm) source=$1;; esac
  shift
done
cp "$source" "$2"
"""
"""Copies its input to its output."""

CLANG = """#!/bin/sh
case "$1" in --version) echo "clang version 22.1.0"; exit;; esac
for each in "$@"; do
  case "$last" in -o) out=$each;; esac
  case "$each" in
    *.ll|*.c) files="$files $each";;
    -Wl,--version-script=*) files="$files ${each#-Wl,--version-script=}";;
    -march=*) chip=$each;;
  esac
  last=$each
done
folder=$(dirname "$out")
{ cat $files "$folder/weights.bin"; echo "$chip"; } > "$out"
"""
"""Puts together the files that it is given, and the weights."""


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that is the first one of the path."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    find_tools.cache_clear()
    yield folder
    find_tools.cache_clear()


def put(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text)
    (folder / name).chmod(0o755)


def model(folder: Path, net: str = NET) -> ModuleOp:
    (folder / "net.param").write_text(net)
    return ncnn_opt.load(folder / "net.param", weights="random:3").module


def test_a_library_has_the_code_the_weights_and_one_visible_function(
    tools: Path, tmp_path: Path
) -> None:
    for name in ("mlir-opt", "mlir-translate"):
        put(tools, name, CHAIN)
    put(tools, "clang", CLANG)
    path = tmp_path / "my-net.so"
    assert save_library(model(tmp_path), str(path)) == [str(path), str(tmp_path / "my-net.h")]
    library = path.read_bytes()
    assert b"linalg.generic" in library or b"linalg.matmul" in library
    assert b"global: run_my_net; local: *;" in library
    assert library.endswith(b"-march=native\n")
    (values,) = (op.read() for op in model(tmp_path).walk() if op.name == "ncnn.constant")  # pyright: ignore
    assert np.asarray(values, "f4").tobytes() in library
    header = (tmp_path / "my-net.h").read_text()
    assert "void run_my_net(const float *in_data, float *out_out);" in header
    assert re.search(r"in_data: 4 x 6\n +out_out: 4 x 40\n", header)


INT8 = """7767517
3 3
Input data 0 1 data 0=16 1=16 2=8
Convolution a 1 1 data a 0=16 1=3 4=1 5=1 6=1152 8=2 9=1
Convolution b 1 1 a out 0=64 1=1 6=1024 9=1
"""


def test_code_for_llvm_has_only_dialects_of_mlir(tools: Path, tmp_path: Path) -> None:
    """IREE's code of the same model has barriers and tiles."""
    for name in ("mlir-opt", "mlir-translate"):
        put(tools, name, CHAIN)
    put(tools, "clang", CLANG)
    options = CompileOptions(target_cpu="haswell")
    iree = str(lower(model(tmp_path, INT8), options).module)
    assert "iree_tensor_ext." in iree
    assert "#iree_c" in iree
    save_library(model(tmp_path, INT8), str(tmp_path / "net.so"), options)
    library = (tmp_path / "net.so").read_bytes()
    assert b"linalg.conv_2d_nchw_fchw" in library
    assert b"iree" not in library
    assert b"util." not in library


def test_what_runs_on_the_host_is_refused(tools: Path, tmp_path: Path) -> None:
    for name in ("mlir-opt", "mlir-translate"):
        put(tools, name, CHAIN)
    put(tools, "clang", CLANG)
    net = NET.replace("2 2", "3 3") + "ArgMax best 1 1 out best 0=1 1=1\n"
    with pytest.raises(NativeError) as caught:
        save_library(model(tmp_path, net), str(tmp_path / "net.so"))
    assert "the end of the model runs on the host" in str(caught.value)
    assert str(caught.value).endswith("'out'")
    assert not (tmp_path / "net.so").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (CompileOptions(target="cuda"), "a shared library is for a CPU, not for cuda"),
        (CompileOptions(target_triple="x"), "for this machine's CPU and system"),
        (CompileOptions(flags=("-x",)), "iree-compile does not compile shared libraries"),
    ],
)
def test_options_of_iree_alone_are_refused(
    options: CompileOptions, message: str, tools: Path, tmp_path: Path
) -> None:
    for name in ("mlir-opt", "mlir-translate", "clang"):
        put(tools, name, CHAIN)
    with pytest.raises(NativeError, match=re.escape(message)):
        save_library(model(tmp_path), str(tmp_path / "net.so"), options)


@pytest.mark.parametrize(
    ("versions", "found"),
    [
        ({"clang": 22, "clang-24": 24}, "clang"),
        ({"clang": 19, "clang-22": 22, "clang-24": 24}, "clang-24"),
        ({"clang": 21, "clang-22": 22}, "clang-22"),
    ],
)
def test_the_first_program_that_is_new_enough_is_taken(
    versions: dict[str, int], found: str, tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tools))
    for name, version in versions.items():
        put(tools, name, f'#!/bin/sh\necho "Debian clang version {version}.1.0"\n')
    assert find_tool("clang") == str(tools / found)


def test_old_and_missing_programs_are_an_error(
    tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tools))
    with pytest.raises(NativeError, match="needs clang of LLVM 22 or newer, which is not on the"):
        find_tool("clang")
    put(tools, "clang", '#!/bin/sh\necho "clang version 21.1.0"\n')
    put(tools, "clang-30", "#!/bin/sh\nexit 1\n")
    with pytest.raises(NativeError) as caught:
        find_tool("clang")
    assert str(caught.value) == f"'{tools / 'clang'}' is of LLVM 21; 22 or newer is needed"


def test_a_function_of_c_has_static_shapes() -> None:
    port: Any = Port("data", "<f4", (3, None, 8))
    with pytest.raises(NativeError) as caught:
        CFunction("run", [port], [])
    assert "but 'data' is 3 x ? x 8; set the shape with --input-shape" in str(caught.value)
    with pytest.raises(NativeError, match="'data' is 3 x"):
        CFunction("run", [], [port])
