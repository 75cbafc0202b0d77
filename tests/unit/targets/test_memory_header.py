"""`.mem.h`: the bytes of the `.param.bin` and the `.bin` as arrays, and the names in a header."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from ncnn_opt.tools import ncnn_merge_main
from ncnn_opt.tools.ncnn_opt_main import main

import ncnn_opt

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "examples/small_cnn.param"
NET = """#include <cstddef>
#include <cstdio>
namespace ncnn {
struct Mat {
    int w = 0, h = 0, c = 0;
    Mat() {}
    Mat(int w, int h, int c) : w(w), h(h), c(c) {}
    void fill(float) {}
};
struct Extractor {
    int input(int blob, const Mat& x) { return printf("%d: %d %d %d\\n", blob, x.w, x.h, x.c) < 0; }
    int extract(int blob, Mat& x) { x = Mat(blob, 0, 0); return 0; }
};
struct Net {
    size_t load_param(const unsigned char* x) { printf("%02x%02x ", x[1], x[0]); return 0; }
    size_t load_model(const unsigned char* x) { printf("%02x%02x\\n", x[5], x[4]); return 0; }
    Extractor create_extractor() { return Extractor(); }
};
}
"""
"""A `net.h` that prints what a program gives it."""
PROGRAM = """#include <cstdio>
#include "2x-net.id.h"
#include "2x-net.mem.h"
int main() {
    printf("%d %d %d\\n", (int)sizeof _2x_net_param_bin, (int)sizeof _2x_net_bin,
           _2x_net_param_id::BLOB_data);
}
"""


def arrays(path: Path) -> dict[str, bytes]:
    found = re.findall(r"char (\w+)\[\] = \{\n(.*?)\};", path.read_text(), re.S)
    return {name: bytes(int(b, 16) for b in rows.split(",") if b.strip()) for name, rows in found}


def test_the_arrays_are_the_files(tmp_path: Path) -> None:
    for name in ("net.param.bin", "net.mem.h"):
        main([str(EXAMPLE), "-o", str(tmp_path / name), "-q"])
    files = {n: (tmp_path / f"net.{n}").read_bytes() for n in ("param.bin", "bin")}
    assert arrays(tmp_path / "net.mem.h") == {
        "net_param_bin": files["param.bin"],
        "net_bin": files["bin"],
    }
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "net.bin",
        "net.id.h",
        "net.mem.h",
        "net.param.bin",
    ]


def printed(program: str, folder: Path) -> str:
    """Compile and run a program beside the headers, and return what it prints."""
    compiler = shutil.which("g++") or shutil.which("clang++") or shutil.which("clang++-22")
    if compiler is None:
        pytest.skip("needs a compiler of C++")
    (folder / "use.cpp").write_text(program)
    subprocess.run([compiler, "-std=c++11", "use.cpp", "-o", "use"], cwd=folder, check=True)
    return subprocess.run(["./use"], cwd=folder, capture_output=True, text=True, check=True).stdout


def test_a_program_compiles_them(tmp_path: Path) -> None:
    main([str(EXAMPLE), "-o", str(tmp_path / "2x-net.mem.h"), "-q"])
    sizes = [len(data) for data in arrays(tmp_path / "2x-net.mem.h").values()]
    assert printed(PROGRAM, tmp_path) == f"{sizes[0]} {sizes[1]} 0\n"


def test_the_program_of_the_page(tmp_path: Path) -> None:
    """It loads the graph (which begins with the magic number 7767517) and then the weights."""
    (program,) = re.findall(
        r"^```cpp\n(.*?)^```$", (ROOT / "docs/ncnn_tools.md").read_text(), re.DOTALL | re.MULTILINE
    )
    main([str(EXAMPLE), "-o", str(tmp_path / "m.mem.h"), "-q"])
    (tmp_path / "net.h").write_text(NET)
    weights = arrays(tmp_path / "m.mem.h")["m_bin"]
    loaded = f"{7767517 % 2**16:04x} {weights[5]:02x}{weights[4]:02x}\n"
    names = dict(re.findall(r"BLOB_(\w+) = (\d+);", (tmp_path / "m.id.h").read_text()))
    expected = f"{loaded}{names['data']}: 32 32 3\nprob 0 x 0 x {names['prob']}\n"
    assert printed(program, tmp_path) == expected


def test_a_model_without_weights_has_an_array_nevertheless(tmp_path: Path) -> None:
    (tmp_path / "m.param").write_text("7767517\n2 2\nInput in0 0 1 in0\nReLU r 1 1 in0 out0\n")
    (tmp_path / "m.bin").touch()
    ncnn_opt.save(ncnn_opt.load(tmp_path / "m.param"), tmp_path / "m.mem.h")
    assert arrays(tmp_path / "m.mem.h")["m_bin"] == b"\0"


@pytest.mark.parametrize(
    "words",
    [["-o", "n.mem.h", "--output-weights", "n.bin"], ["--weights", "none", "-o", "n.mem.h"]],
    ids=["weights elsewhere", "no weights"],
)
def test_it_holds_the_weights(
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        main([str(EXAMPLE), *words])
    assert "'n.mem.h' holds the weights, too" in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]


def test_drop_ins_have_a_version(capsys: pytest.CaptureFixture[str]) -> None:
    ncnn_merge_main.main(["--version"])
    assert capsys.readouterr().out.startswith("ncnn-merge 0.")
