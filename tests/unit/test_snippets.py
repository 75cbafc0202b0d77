"""Examples of programs: the one in Python runs, the one in C++ compiles, and all name what the
model has."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from ncnn_opt.driver.errors import RunError, UsageError
from ncnn_opt.driver.model_files import InputModel, read_model
from ncnn_opt.driver.snippets import snippet
from ncnn_opt.formats.languages import LANGUAGES
from ncnn_opt.frontends import ReadOptions
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
struct Option { bool lightmode, use_fp16_packed, use_fp16_storage, use_fp16_arithmetic; };
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


def model(tmp_path: Path, text: str, name: str = "m.param") -> InputModel:
    path = tmp_path / name
    path.write_text(text)
    path.with_suffix(".bin").touch()
    return read_model(str(path))


def of_model(language: str, tmp_path: Path, text: str, how: Preprocessing = Preprocessing()) -> str:
    return snippet(language, model(tmp_path, text), how)


def run(program: str, folder: Path) -> list[str]:
    """Run a program in Python, and return the lines that it prints."""
    pytest.importorskip("ncnn")
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("how", [Preprocessing(), HOW], ids=["plain", "preprocessed"])
@pytest.mark.parametrize("text", [IMAGE, SEVERAL, UNKNOWN, TWO_IMAGES], ids=IDS)
def test_the_program_in_python_runs(text: str, how: Preprocessing, tmp_path: Path) -> None:
    source = model(tmp_path, text)
    program = snippet("python", source, how)
    outputs = [output.name for output in ncnn_opt.load(source.path).outputs]
    shapes = {"prob": "(3,)", "out0": "(3, 5, 6)" if text is TWO_IMAGES else "(2, 4)"}
    assert run(program, tmp_path) == [f"{name} {shapes[name]}" for name in outputs]
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
    source = model(tmp_path, AWKWARD, 'my "m" \\t.param')
    programs = {each: snippet(each, source, Preprocessing()) for each in LANGUAGES}
    for program in programs.values():
        for literal in (
            r'"in\"0\""',
            r'"a\\%d\\n"',
            r'"my \"m\" \\t.param"',
            r'"my \"m\" \\t.bin"',
        ):
            assert literal in program
    assert r'printf("a\\%%d\\n %d x %d x %d\n"' in programs["cpp"]
    assert run(programs["python"], tmp_path) == ["a\\%d\\n (4,)"]


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
    source = read_model(str(tmp_path / "m.param"), ReadOptions(weights="none"))
    program = snippet(language, source, Preprocessing())
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
    source = read_model(str(tmp_path / "m.param"), ReadOptions(weights="none"))
    assert capsys.readouterr().out == f"{snippet('python', source, Preprocessing())}\n"


def refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Return the message of a command that must fail."""
    with pytest.raises(SystemExit) as error:
        ncnn_run_main.main(words)
    assert error.value.code == 1
    said = capsys.readouterr()
    assert said.out == ""
    return said.err.removeprefix("ncnn-run: error: ").strip()


def binary(tmp_path: Path) -> InputModel:
    """Write a `.param.bin` whose input is blob 0 and whose output is blob 2."""
    loaded = ncnn_opt.load(model(tmp_path, IMAGE).path)
    loaded.save(tmp_path / "b.param.bin")
    return read_model(str(tmp_path / "b.param.bin"))


def test_a_binary_graph_is_loaded_as_one_and_has_blobs_by_number(tmp_path: Path) -> None:
    program = snippet("python", binary(tmp_path), Preprocessing())
    assert run(program, tmp_path) == ["2 (3,)"]
    ids = (tmp_path / "b.id.h").read_text()
    assert "BLOB_data = 0;" in ids
    assert "BLOB_prob = 2;" in ids


CALLS = {
    "cpp": ("net.load_param_bin(", "ex.input(0, x0)", "ex.extract(2, y0)"),
    "kotlin": ("net.load_param_bin(manager, ", "ex.input(0, x0)", "ex.extract(2, y0)"),
    "swift": (
        "ncnn_net_load_param_bin(net, ",
        "ncnn_extractor_input_index(ex, 0, x0)",
        "ncnn_extractor_extract_index(ex, 2, &y0)",
    ),
    "python": ("net.load_param_bin(", "ex.input(0, x0)", "ex.extract(2)"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_calls_for_a_binary_graph(language: str, tmp_path: Path) -> None:
    source = binary(tmp_path)
    program = snippet(language, source, Preprocessing())
    assert [call for call in CALLS[language] if call not in program] == []
    remark = "The blobs of a .param.bin have numbers"
    assert f"{remark}; b.id.h has their names." in program
    (tmp_path / "b.id.h").unlink()
    assert f"{remark}.\n" in snippet(language, source, Preprocessing())
    text = snippet(language, model(tmp_path, IMAGE), Preprocessing())
    assert "param_bin" not in text
    assert remark not in text


@pytest.mark.parametrize("kind", ["mlir", "vmfb"])
def test_files_that_ncnn_does_not_load(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / f"m.{kind}")
    if kind == "mlir":
        ncnn_opt.load(model(tmp_path, IMAGE).path).save(path)
    else:
        Path(path).touch()
    expected = {
        "mlir": f"ncnn does not load .mlir; write a .param first (ncnn-opt {path} -o m.param)",
        "vmfb": "--snippet is for a .param or .param.bin, which ncnn loads",
    }
    assert refused([path, "--snippet", "cpp"], capsys) == f"{path}: {expected[kind]}"


REVERSED = """7767517
3 3
Input data 0 1 data 0=3 1=9 2=9
Convolution conv 1 1 data c 0=2 1=3 6=54
ReLU relu 1 1 c out
"""


def read_reversed(tmp_path: Path, text: str = REVERSED) -> InputModel:
    """Return a model whose file declares the channels last, with random weights."""
    (tmp_path / "r.param").write_text(text)
    ncnn_opt.load(tmp_path / "r.param", weights="random").save(tmp_path / "m.param")
    return read_model(str(tmp_path / "m.param"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_weights_decide_if_they_contradict_the_declared_shape(
    language: str, tmp_path: Path
) -> None:
    program = snippet(language, read_reversed(tmp_path), Preprocessing())
    assert "the file says 9,9,3, but Convolution 'conv' takes 3,?,? by its weights" in program
    assert "9, 9" in program
    assert "3, 9" not in program.replace("9, 9, 3", "")
    near = REVERSED.replace("0=3 1=9 2=9", "0=9 1=9 2=3")
    assert "the file says" not in snippet(language, read_reversed(tmp_path, near), Preprocessing())


def test_the_program_for_a_contradicted_shape_runs(tmp_path: Path) -> None:
    assert run(snippet("python", read_reversed(tmp_path), Preprocessing()), tmp_path) == [
        "out (2, 7, 7)"
    ]


def test_shapes_without_a_remedy_are_an_error(tmp_path: Path) -> None:
    small = REVERSED.replace("0=3 1=9 2=9", "0=2 1=9 2=3")
    with pytest.raises(RunError) as error:
        snippet("python", read_reversed(tmp_path, small), Preprocessing())
    assert str(error.value) == (
        f"{tmp_path}/m.param: with data=3,9,2: the window of Convolution 'conv' does not fit into "
        "3,9,2; give larger inputs with --input-shape"
    )


SIZED = """7767517
2 2
Input in0 0 1 in0
Reshape flat 1 1 in0 out0 {params}
"""


def test_an_unknown_shape_that_matters_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = model(tmp_path, SIZED.format(params="0=500 1=-1")).path
    assert refused([path, "--snippet", "cpp"], capsys) == (
        f"{path}: the shape of input 'in0' is not known (tensor<*xf32>); "
        "give it with --input-shape in0=…"
    )
    ncnn_run_main.main([path, "--snippet", "python", "--input-shape", "in0=500"])
    assert run(capsys.readouterr().out, tmp_path) == ["out0 (1, 500)"]


def test_a_reshape_determines_the_shape_of_its_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = model(tmp_path, SIZED.format(params="0=512")).path
    ncnn_run_main.main([path, "--snippet", "python"])
    said = capsys.readouterr().out
    assert "a guess; --input-shape says better" in said
    assert run(said, tmp_path) == ["out0 (512,)"]


def test_detectors_that_find_nothing(tmp_path: Path) -> None:
    net = """7767517
4 4
Input loc 0 1 loc 0=8
Input conf 0 1 conf 0=4
Input prior 0 1 prior 0=8 1=2
DetectionOutput detect 3 1 loc conf prior out 0=2 1=0.45 2=100 3=100 4=0.5
"""
    assert run(of_model("python", tmp_path, net), tmp_path) == ["out is empty"]


SHARED = """7767517
4 4
Input x 0 1 x 0=4
AbsVal a 1 1 x a
Sigmoid b 1 1 x b
BinaryOp add 2 1 a b out
"""


def test_blobs_without_a_split(tmp_path: Path) -> None:
    for language in ("cpp", "kotlin", "python"):
        program = of_model(language, tmp_path, SHARED)
        assert ("lightmode = False" if language == "python" else "lightmode = false") in program
        assert "lightmode" not in of_model(language, tmp_path, SEVERAL)
    assert run(of_model("python", tmp_path, SHARED), tmp_path) == ["out (4,)"]
    with pytest.raises(UsageError) as error:
        of_model("swift", tmp_path, SHARED)
    assert str(error.value) == (
        f"{tmp_path}/m.param: several layers read 'x' without a Split, which ncnn's C API cannot "
        "run; --eliminate-split and -O of ncnn-opt write a Split"
    )


def test_a_contradicting_option_names_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = read_reversed(tmp_path).path
    words = [path, "--snippet", "cpp", "--input-shape", "data=4,9,9"]
    assert refused(words, capsys) == (
        f"{path}: Convolution 'conv' takes 3,?,? by its weights, and gets 4,9,9; "
        "try --input-shape data=3,9,9"
    )
