"""`.mem.h`: the bytes of the `.param.bin` and the `.bin` as arrays, and the names in a header."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from ncnn_opt.tools import ncnn_merge_main
from ncnn_opt.tools.ncnn_opt_main import main

import ncnn_opt

EXAMPLE = Path(__file__).parents[3] / "examples/small_cnn.param"
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


def test_a_program_compiles_them(tmp_path: Path) -> None:
    compiler = shutil.which("g++") or shutil.which("clang++") or shutil.which("clang++-22")
    if compiler is None:
        pytest.skip("needs a compiler of C++")
    main([str(EXAMPLE), "-o", str(tmp_path / "2x-net.mem.h"), "-q"])
    (tmp_path / "use.cpp").write_text(PROGRAM)
    subprocess.run([compiler, "use.cpp", "-o", "use"], cwd=tmp_path, check=True)
    done = subprocess.run(["./use"], cwd=tmp_path, capture_output=True, text=True, check=True)
    sizes = [len(data) for data in arrays(tmp_path / "2x-net.mem.h").values()]
    assert done.stdout == f"{sizes[0]} {sizes[1]} 0\n"


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
