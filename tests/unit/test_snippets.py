"""Examples of programs: the one in Python runs, the one in C++ compiles, and all name what the
model has."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from ncnn_opt.driver.errors import UsageError
from ncnn_opt.driver.snippets import snippet
from ncnn_opt.formats.languages import LANGUAGES
from ncnn_opt.samples.images import Preprocessing
from ncnn_opt.tools import ncnn_run_main

import ncnn_opt

IMAGE = """7767517
3 3
Input data 0 1 data 0=6 1=5 2=3
Pooling pool 1 1 data pooled 0=1 4=1
Softmax prob 1 1 pooled prob
"""
SEVERAL = """7767517
4 4
Input in0 0 1 in0 0=4 1=2
Input in1 0 1 in1 0=4
BinaryOp add 2 1 in0 in1 sum
Split both 1 1 sum out0
"""
TWO_IMAGES = """7767517
3 3
Input a 0 1 a 0=6 1=5 2=3
Input b 0 1 b 0=6 1=5 2=3
BinaryOp add 2 1 a b out0
"""
UNKNOWN = IMAGE.replace(" 0=6 1=5 2=3", "")

AWKWARD = """7767517
2 2
Input in"0" 0 1 in"0" 0=4
AbsVal abs 1 1 in"0" a\\%d\\n
"""

HEADER = """#include <cstddef>
namespace ncnn {
struct Option { bool use_fp16_packed, use_fp16_storage, use_fp16_arithmetic; };
struct Mat {
    enum { PIXEL_BGR = 2, PIXEL_BGR2RGB = 0x10002, PIXEL_BGR2GRAY = 0x30002 };
    enum { PIXEL_BGR2RGBA = 0x40002, PIXEL_BGR2BGRA = 0x50002 };
    int w, h, d, c;
    Mat(); Mat(int w, size_t size = 4); Mat(int w, int h, size_t size = 4);
    Mat(int w, int h, int c, size_t size = 4);
    void fill(float); void substract_mean_normalize(const float*, const float*);
    static Mat from_pixels_resize(const unsigned char*, int, int, int, int, int);
};
struct Extractor { int input(const char*, const Mat&); int extract(const char*, Mat&); };
struct Net {
    Option opt;
    int load_param(const char*); int load_model(const char*); Extractor create_extractor();
};
}
"""
"""What of ncnn's `net.h` the programs use."""

IDS = ["image", "several", "unknown", "two images"]

HOW = Preprocessing((127.5,), (0.5, 0.25, 0.125), True)


def model(tmp_path: Path, text: str, name: str = "m.param") -> tuple[ncnn_opt.Model, str]:
    path = tmp_path / name
    path.write_text(text)
    path.with_suffix(".bin").touch()
    return ncnn_opt.load(path), str(path)


def of_model(language: str, tmp_path: Path, text: str, how: Preprocessing = Preprocessing()) -> str:
    loaded, path = model(tmp_path, text)
    return snippet(language, loaded.module, path, how)


@pytest.mark.parametrize("how", [Preprocessing(), HOW], ids=["plain", "preprocessed"])
@pytest.mark.parametrize("text", [IMAGE, SEVERAL, UNKNOWN, TWO_IMAGES], ids=IDS)
def test_the_program_in_python_runs(text: str, how: Preprocessing, tmp_path: Path) -> None:
    pytest.importorskip("ncnn")
    loaded, path = model(tmp_path, text)
    program = snippet("python", loaded.module, path, how)
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    outputs = [output.name for output in loaded.outputs]
    shapes = {"prob": "(3,)", "out0": "(3, 5, 6)" if text is TWO_IMAGES else "(2, 4)"}
    assert done.stdout.splitlines() == [f"{name} 0 {shapes[name]}" for name in outputs]
    assert ("substract_mean_normalize([127.5, 127.5, 127.5], [0.5, 0.25, 0.125])" in program) is (
        how is HOW and text in (IMAGE, TWO_IMAGES)
    )
    assert ("BGR2RGB" in program) is (how is HOW and text in (IMAGE, TWO_IMAGES))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_range_of_pixels_is_stated(language: str, tmp_path: Path) -> None:
    remark = "Values are 0 to 255"
    assert remark in of_model(language, tmp_path, IMAGE)
    assert remark not in of_model(language, tmp_path, IMAGE, HOW)
    assert remark not in of_model(language, tmp_path, SEVERAL)


@pytest.mark.parametrize("language", ["cpp", "kotlin"])
@pytest.mark.parametrize(
    "text", [IMAGE, SEVERAL, UNKNOWN, TWO_IMAGES, AWKWARD], ids=[*IDS, "awkward"]
)
def test_the_program_in_cpp_compiles(text: str, language: str, tmp_path: Path) -> None:
    compiler = shutil.which("g++") or shutil.which("clang++") or shutil.which("clang++-22")
    if compiler is None:
        pytest.skip("needs a compiler of C++")
    program = of_model(language, tmp_path, text, HOW)
    if language == "kotlin":  # the function of the library that runs the model
        lines = program[program.index('extern "C" JNIEXPORT jint') :].splitlines()[1:]
        head = '#include <cstdio>\n#include <vector>\n#include "net.h"\nncnn::Net net;\nint run() {'
        program = "\n".join([head, *lines])
    (tmp_path / "net.h").write_text(HEADER)
    (tmp_path / "run.cpp").write_text(program)
    done = subprocess.run(
        [compiler, "-std=c++11", "-fsyntax-only", "-Werror=format", "run.cpp"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def test_names_are_escaped(tmp_path: Path) -> None:
    loaded, path = model(tmp_path, AWKWARD, 'my "m" \\t.param')
    programs = {each: snippet(each, loaded.module, path, Preprocessing()) for each in LANGUAGES}
    for program in programs.values():
        for literal in (
            r'"in\"0\""',
            r'"a\\%d\\n"',
            r'"my \"m\" \\t.param"',
            r'"my \"m\" \\t.bin"',
        ):
            assert literal in program
    assert r'printf("a\\%%d\\n %d x %d x %d\n"' in programs["cpp"]
    pytest.importorskip("ncnn")
    done = subprocess.run(
        [sys.executable, "-c", programs["python"]], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stdout == "a\\%d\\n 0 (4,)\n", done.stderr


@pytest.mark.parametrize("language", LANGUAGES)
def test_programs_name_files_inputs_and_outputs(language: str, tmp_path: Path) -> None:
    program = of_model(language, tmp_path, SEVERAL)
    names = ("m.param", "m.bin", "in0", "in1", "out0")
    assert [name for name in names if f'"{name}"' not in program] == []
    assert "4, 2" in program or "(2, 4)" in program


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_undeclared_shape_is_that_of_the_first_layer(language: str, tmp_path: Path) -> None:
    net = "7767517\n2 2\nInput x 0 1 x\nInnerProduct fc 1 1 x y 0=2 2=160\n"
    (tmp_path / "m.param").write_text(net)
    loaded = ncnn_opt.load(tmp_path / "m.param", weights="none")
    program = snippet(language, loaded.module, "m.param", Preprocessing())
    assert "a guess" in program
    assert "80" in program
    assert "224" not in program
    assert "any size that fits" in of_model(language, tmp_path, UNKNOWN)


def test_another_language_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cpp, kotlin, swift, python, not 'cobol'"):
        of_model("cobol", tmp_path, SEVERAL)


def test_a_command_prints_the_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "m.param").write_text(SEVERAL)  # there are no weights
    ncnn_run_main.main([str(tmp_path / "m.param"), "--snippet", "python"])
    loaded = ncnn_opt.load(tmp_path / "m.param", weights="none")
    path = str(tmp_path / "m.param")
    assert capsys.readouterr().out == f"{snippet('python', loaded.module, path, Preprocessing())}\n"
