"""`ncnn-optimize` takes ncnnoptimize's arguments. Unlike that it says what is wrong, and leaves all
files as they are then."""

import shutil
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from ncnn_opt.driver import drop_in_optimizing
from ncnn_opt.driver.errors import UsageError
from ncnn_opt.tools import ncnn_optimize_main
from ncnn_opt.tools.ncnn_optimize_main import request_of
from ncnn_opt.transforms.extraction.cut_model import CutModel
from ncnn_opt.transforms.storage.convert_storage import ConvertStorage

from .conftest import OLD_RESULTS, WEIGHTS, Command, content_of

ERROR = "ncnn-optimize: error: "

FILES = ["model.param", "model.bin", "out.param", "out.bin"]

RESULT = """7767517
2 2
Input                    data                     0 1 data 0=3 -23330=4,1,3,1,1
InnerProduct             fc                       1 1 data out 0=4 1=1 2=12 9=1 -23330=4,1,4,1,1
"""
"""The model of the folder, optimized. As with ncnnoptimize, layers have shape hints."""

HALF_TAG = struct.pack("<I", 0x01306B47)


@dataclass(frozen=True)
class Ended:
    """How a run ended."""

    status: int
    out: str
    err: str


Optimize = Callable[..., Ended]
Refused = Callable[[Sequence[str]], list[str]]
Wrong = Callable[[Sequence[str]], str]


@pytest.fixture
def optimize(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Optimize:
    """Runs the tool in the folder, in this process; it must succeed unless `check=False`."""
    monkeypatch.chdir(folder)

    def run(arguments: Sequence[str], check: bool = True) -> Ended:
        status = 0
        try:
            ncnn_optimize_main.main(arguments)
        except SystemExit as e:
            status = int(e.code or 0)
        assert not check or status == 0
        said = capsys.readouterr()
        return Ended(status, said.out, said.err)

    return run


@pytest.fixture
def refused(optimize: Optimize, folder: Path) -> Refused:
    """Runs the tool, which must refuse and leave all files as they are; returns what it says."""

    def run(arguments: Sequence[str]) -> list[str]:
        before = content_of(folder)
        ended = optimize(arguments, check=False)
        assert (ended.status, ended.out) == (1, "")
        assert content_of(folder) == before
        return ended.err.splitlines()

    return run


@pytest.fixture
def wrong(refused: Refused) -> Wrong:
    """Runs the tool, which must refuse with one message and no more; returns that."""

    def run(arguments: Sequence[str]) -> str:
        (message,) = refused(arguments)
        assert message.startswith(ERROR)
        return message.removeprefix(ERROR)

    return run


def test_as_a_command(command: Command, folder: Path) -> None:
    result = command([*FILES, "0"], tool="ncnn-optimize")
    assert not result.stdout
    assert result.stderr.startswith("fuse_innerproduct_activation fc relu\n")
    assert (folder / "out.param").read_text() == RESULT
    (folder / "model.param").unlink()
    result = command([*FILES, "0"], tool="ncnn-optimize", check=False)
    assert result.returncode == 1
    assert result.stderr == f"{ERROR}model.param: No such file or directory\n"
    assert (folder / "out.param").read_text() == RESULT


def test_result(optimize: Optimize, folder: Path) -> None:
    result = optimize([*FILES, "0"])
    assert not result.out
    assert result.err.splitlines() == [
        "fuse_innerproduct_activation fc relu",
        "estimated memory footprint = 0.03 KB = 0.00 MB",
        "mac = 12 = 0.00 M",
    ]
    assert (folder / "out.param").read_text() == RESULT
    assert (folder / "out.bin").read_bytes() == WEIGHTS


def test_a_declared_shape_that_weights_contradict_is_no_hint(
    optimize: Optimize, folder: Path
) -> None:
    text = (folder / "model.param").read_text()
    assert "data 0=3" in text
    (folder / "model.param").write_text(text.replace("data 0=3", "data 0=5"))
    lines = optimize([*FILES, "0"]).err.splitlines()
    assert lines[-1] == (
        "no estimate of memory and MACs, and no shape hints: InnerProduct 'fc' takes 3 or ?,3 by "
        "its weights, and gets 5"
    )
    assert "-23330" not in (folder / "out.param").read_text()


@pytest.mark.parametrize("flag", ["65536", "1"])
def test_flags_for_float16(flag: str, optimize: Optimize, folder: Path) -> None:
    optimize([*FILES, flag])
    assert (folder / "out.param").read_text() == RESULT
    halves = HALF_TAG + struct.pack("<12e4f", *range(16))
    assert (folder / "out.bin").read_bytes() == halves


@pytest.mark.parametrize("flag", ["0", "2", "-1", "131072"])
def test_other_flags_are_float32(flag: str, optimize: Optimize, folder: Path) -> None:
    (folder / "model.bin").write_bytes(HALF_TAG + struct.pack("<12e4f", *range(16)))
    optimize([*FILES, flag])
    assert (folder / "out.bin").read_bytes() == WEIGHTS


def test_weights_that_float16_cannot_hold_are_told(optimize: Optimize, folder: Path) -> None:
    values = struct.pack("<16f", 1e5, *range(15))
    (folder / "model.bin").write_bytes(bytes(4) + values)
    lines = optimize([*FILES, "65536"]).err.splitlines()
    reason = "1 value of up to 1e+05 would become infinite"
    assert lines[1] == f"convert_storage fc (weight 'weight' stays f32: {reason})"
    assert (folder / "out.bin").read_bytes() == bytes(4) + values


def test_random_weights(optimize: Optimize, folder: Path) -> None:
    (folder / "model.bin").unlink()
    optimize(["model.param", "null", "out.param", "out.bin", "0"])
    first = (folder / "out.bin").read_bytes()
    values = struct.unpack("<16f", first[4:])
    assert len(set(values)) == 16
    optimize(["model.param", "null", "out.param", "out.bin", "0"])
    assert (folder / "out.bin").read_bytes() == first


@pytest.mark.parametrize("name", ["none", "random", "random:1", "no ending", "-x", "größe.x.y"])
def test_any_file_names(name: str, optimize: Optimize, folder: Path) -> None:
    """Names are names, also those that mean something to `ncnn-opt --weights`."""
    shutil.move(folder / "model.bin", folder / name)
    shutil.move(folder / "model.param", folder / f"{name} in")
    optimize([f"{name} in", name, f"{name} out", f"{name} weights", "0"])
    assert (folder / f"{name} out").read_text() == RESULT
    assert (folder / f"{name} weights").read_bytes() == WEIGHTS
    assert {n: (folder / n).read_bytes() for n in OLD_RESULTS} == OLD_RESULTS


def test_in_place(optimize: Optimize, folder: Path) -> None:
    optimize(["model.param", "model.bin", "model.param", "model.bin", "0"])
    assert (folder / "model.param").read_text() == RESULT
    assert (folder / "model.bin").read_bytes() == WEIGHTS


def test_output_over_the_weights_that_are_read(optimize: Optimize, folder: Path) -> None:
    ended = optimize(["model.param", "model.bin", "model.bin", "out.bin", "0"], check=False)
    assert ended.status == 1
    assert "'model.bin' holds the weights of the model" in ended.err
    assert (folder / "model.bin").read_bytes() == WEIGHTS


CHAIN = """7767517
5 5
Input input 0 1 data 0=3
InnerProduct fc 1 1 data fc 0=4 1=1 2=12
ReLU relu 1 1 fc relu
Dropout drop 1 1 relu drop
TanH tanh 1 1 drop out
"""


@pytest.mark.parametrize(
    ("cut", "kinds", "blobs", "size"),
    [
        (["relu"], ["Input", "ReLU", "TanH"], ("fc", "out"), 0),
        (["fc", "relu"], ["Input", "InnerProduct"], ("data", "relu"), 68),
        (["relu", "relu"], ["Input", "ReLU"], ("fc", "relu"), 0),
        (["input", "fc"], ["Input", "InnerProduct"], ("data", "fc"), 68),
    ],
)
def test_cut(
    cut: list[str],
    kinds: list[str],
    blobs: tuple[str, str],
    size: int,
    optimize: Optimize,
    folder: Path,
) -> None:
    (folder / "model.param").write_text(CHAIN)
    optimize([*FILES, "0", *cut])
    magic, counts, *lines = (folder / "out.param").read_text().splitlines()
    assert (magic, counts) == ("7767517", f"{len(kinds)} {len(kinds)}")
    assert [line.split()[0] for line in lines] == kinds
    assert (lines[0].split()[4], lines[-1].split()[5]) == blobs
    assert (folder / "out.bin").stat().st_size == size


CUSTOM = """7767517
4 4
Input data 0 1 data 0=3
Mine mine 1 1 data mine 0=7
InnerProduct fc 1 1 mine fc 0=4 1=1 2=12
ReLU relu 1 1 fc out
"""


@pytest.mark.parametrize("option", [["--custom-weights", "Mine=2,1"], ["--custom-weights=Mine=3"]])
def test_custom_layer_with_weights(option: list[str], optimize: Optimize, folder: Path) -> None:
    own = struct.pack("<3f", 7, 8, 9)
    (folder / "model.param").write_text(CUSTOM)
    (folder / "model.bin").write_bytes(own + WEIGHTS)
    optimize([*option, *FILES, "0"])
    assert (
        "Mine                     mine                     1 1 data mine 0=7\n"
        in (folder / "out.param").read_text()
    )
    assert (folder / "out.bin").read_bytes() == own + WEIGHTS


def test_weights_of_a_custom_layer_that_nothing_is_said_of(wrong: Wrong, folder: Path) -> None:
    (folder / "model.param").write_text(CUSTOM)
    (folder / "model.bin").write_bytes(struct.pack("<3f", 7, 8, 9) + WEIGHTS)
    assert "--custom-weights Mine=COUNT" in wrong([*FILES, "0"])


@pytest.mark.parametrize("option", [["--tune", "arm"], ["--tune=arm"], ["--tune=none"]])
def test_for_a_family_of_processors(option: list[str], optimize: Optimize, folder: Path) -> None:
    lines = "7767517\n3 3\nInput x 0 1 x 0=9 1=8\nConvolution1D conv 1 1 x y 0=8 1=1 6=64\n"
    (folder / "model.param").write_text(f"{lines}Mish act 1 1 y z\n")
    files = ["model.param", "null", "out.param", "out.bin"]
    first, *_ = optimize([*option, *files, "0"]).err.splitlines()
    assert first.startswith("fuse_convolution1d_activation conv act (slow on x86: layer/x86/")
    first, *_ = optimize([*files, "0"]).err.splitlines()
    assert first.startswith("estimated")


def test_for_inputs_of_one_shape(optimize: Optimize, wrong: Wrong, folder: Path) -> None:
    lines = "7767517\n3 3\nInput x 0 1 x\nReshape same 1 1 x y 0=8 1=4\nReLU relu 1 1 y z\n"
    (folder / "model.param").write_text(lines)
    files = ["model.param", "null", "out.param", "out.bin", "0"]

    def types() -> list[str]:
        return [line.split()[0] for line in (folder / "out.param").read_text().splitlines()[2:]]

    optimize([*files, "--max-shape=x=4,8"])
    assert types() == ["Input", "Reshape", "ReLU"]
    assert "-23330" not in (folder / "out.param").read_text()
    first, *_ = optimize([*files, "--fix-shapes", "x=4,8"]).err.splitlines()
    assert (first, types()) == ("eliminate_identity x same", ["Input", "ReLU"])
    assert wrong([*files, "--fix-shapes"]).startswith("--fix-shapes takes INPUT=EXTENTS")
    assert wrong([*files, "--fix-shapes=z=4,8"]).endswith(
        "there is no input 'z'; the inputs are 'x'"
    )


def test_bytes_left_over(optimize: Optimize, wrong: Wrong, folder: Path) -> None:
    (folder / "model.bin").write_bytes(WEIGHTS + bytes(4))
    assert wrong([*FILES, "0"]).endswith("--allow-trailing-weights ignores them")
    optimize([*FILES, "0", "--allow-trailing-weights"])
    assert (folder / "out.bin").read_bytes() == WEIGHTS


def remove_param(folder: Path) -> None:
    (folder / "model.param").unlink()


def remove_bin(folder: Path) -> None:
    (folder / "model.bin").unlink()


def shorten(name: str, folder: Path) -> None:
    path = folder / name
    path.write_bytes(path.read_bytes()[:-8])


def replace_by_folder(name: str, folder: Path) -> None:
    (folder / name).unlink()
    (folder / name).mkdir()


DAMAGE: dict[str, tuple[Callable[[Path], None], str]] = {
    "no .param": (remove_param, "model.param: No such file or directory"),
    "no .bin": (remove_bin, "model.bin: No such file or directory"),
    "short .param": (partial(shorten, "model.param"), "model.param"),
    "short .bin": (partial(shorten, "model.bin"), "model.bin: too short"),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_files_that_are_wrong(what: str, wrong: Wrong, folder: Path) -> None:
    damage, expected = DAMAGE[what]
    damage(folder)
    assert expected in wrong([*FILES, "0"])


@pytest.mark.parametrize("name", ["out.param", "out.bin"])
def test_folder_in_the_place_of_an_output(name: str, wrong: Wrong, folder: Path) -> None:
    replace_by_folder(name, folder)
    assert wrong([*FILES, "0"]) == f"{name}: Is a directory"


def test_no_folder_to_write_to(wrong: Wrong) -> None:
    said = wrong(["model.param", "model.bin", "no/out.param", "no/out.bin", "0"])
    assert said == "no/out.param: there is no folder 'no'"


def test_one_file_for_both(refused: Refused) -> None:
    files = ["model.param", "model.bin", "out.param", "./out.param"]
    (message,) = refused([*files, "0"])  # before anything is done
    assert message == f"{ERROR}'out.param' cannot hold both the model and its weights"


ARGUMENTS: dict[str, tuple[Sequence[str], str]] = {
    "no flag": ([*FILES, "fp16"], "FLAG is a number, not 'fp16'"),
    "no name of weights": (["model.param", "", "out.param", "out.bin", "0"], "./: Is a directory"),
    "no weights at all": ([*FILES, "0", "--custom-weights"], "--custom-weights takes TYPE=COUNT"),
    "no processor": ([*FILES, "0", "--tune"], "tune is one of x86, arm, vulkan, none, not ''"),
    "unknown processor": (
        [*FILES, "0", "--tune=vax"],
        "tune is one of x86, arm, vulkan, none, not 'vax'",
    ),
    "not a count": ([*FILES, "0", "--custom-weights", "A=b"], "--custom-weights takes TYPE=COUNT"),
    "no such start": ([*FILES, "0", "rely"], "model.param: "),
    "no such end": ([*FILES, "0", "fc", "rely"], "model.param: "),
    "empty start": ([*FILES, "0", ""], "model.param: "),
    "end before start": ([*FILES, "0", "relu", "fc"], "model.param: "),
}


@pytest.mark.parametrize("what", ARGUMENTS)
def test_arguments_that_are_wrong(what: str, wrong: Wrong) -> None:
    arguments, expected = ARGUMENTS[what]
    assert wrong(arguments).startswith(expected)


def test_name_that_is_nearly_right(wrong: Wrong) -> None:
    assert "did you mean 'relu'?" in wrong([*FILES, "0", "rely"])


@pytest.mark.parametrize("count", [0, 1, 4, 8])
def test_number_of_arguments(count: int, refused: Refused) -> None:
    first, second, *_ = refused([*FILES, "0", "fc", "relu", "more"][:count])
    assert first == f"{ERROR}5 to 7 arguments are needed, not {count}"
    assert second.startswith("usage: ncnn-optimize INPARAM INBIN OUTPARAM OUTBIN FLAG")


def test_help(optimize: Optimize) -> None:
    result = optimize(["--help"])
    assert result.out.startswith("usage: ncnn-optimize INPARAM")
    assert not result.err


def test_request() -> None:
    arguments = ["a", "null", "b", "c", "1", "first", "--custom-weights", "A=1", "last"]
    request = request_of([*arguments, "--custom-weights=B=2,3"])
    assert (request.in_param, request.out_param, request.out_bin) == ("a", "b", "c")
    assert request.preparation[0] == CutModel("first", "last")
    assert request.optimization[-1] == ConvertStorage("fp16")
    assert request.reading.weights == "random"
    assert request.reading.custom_weights == {"A": (1,), "B": (2, 3)}
    with pytest.raises(UsageError, match="not 4"):
        request_of(["a", "b", "c", "d", "--allow-trailing-weights"])


def test_defects_keep_their_traceback(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError("defect")

    monkeypatch.setattr(drop_in_optimizing, "optimize", fail)
    with pytest.raises(KeyError):
        ncnn_optimize_main.main([*FILES, "0"])
