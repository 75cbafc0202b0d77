"""`--autotune`: which forms are tried, taken and kept. Times are given, not measured, and what
would be compiled is the code."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from ncnn_opt.native import form_tuning, iree_compile, program
from ncnn_opt.native.errors import NativeError
from ncnn_opt.native.form_tuning import Hooks, Runs, Times, Tuning, fastest
from ncnn_opt.native.lowering import Lowered
from ncnn_opt.native.options import CompileOptions
from ncnn_opt.native.program import Compiled

import ncnn_opt

NET = """7767517
4 4
Input data 0 1 data 0=12 1=12 2=16
Convolution point 1 1 data a 0=32 1=1 6=512 9=1
Convolution wide 1 1 a b 0=16 1=3 4=1 6=4608 9=1
Convolution last 1 1 b out 0=8 1=1 6=128
"""


@dataclass
class Stopwatch:
    """Gives times by name, in seconds, instead of measuring."""

    seconds: Callable[[str], float]
    asked: list[list[str]] = field(default_factory=list[list[str]])

    def __call__(self, runs: Runs) -> Times:
        self.asked.append(list(runs))
        return {name: [1000 * self.seconds(name)] * 3 for name in runs}


def slower_unless(*names: str) -> Callable[[str], float]:
    """Times of which those of some names are the least, the first of them the very least."""
    return lambda name: 0.001 * names.index(name) + 0.001 if name in names else 1.0


CPU = "znver4"
"""The candidates depend on the vector instructions."""

MACHINE = {"cpu": "Some CPU", "iree": "3.13.0", "ncnn-opt": "0.1.0"}


def text_of(lowered: Lowered, *_: object) -> bytes:
    return str(lowered.module).encode()


@pytest.fixture(autouse=True)
def without_iree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "compile_code", text_of)
    monkeypatch.setattr(iree_compile, "compile_code", text_of)
    monkeypatch.setattr(form_tuning, "machine", lambda: MACHINE)


@dataclass
class Tuned:
    """What came of tuning the net."""

    compiled: Compiled
    whole: list[list[str]]
    layers: list[list[str]]
    notes: list[str]
    told: list[str]

    def has(self, text: str) -> bool:
        """Whether this is in the code."""
        return text in self.compiled.code.decode()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "structure.param").write_text(NET)
    path = tmp_path / "net.param"
    ncnn_opt.save(ncnn_opt.load(tmp_path / "structure.param", weights="random:1"), path)
    return path


def tuned(
    path: Path,
    whole: Sequence[str] = ("tuned",),
    layers: Sequence[str] = ("conv1x1_gemm", "columns"),
    seconds: float = 1000.0,
    options: CompileOptions = CompileOptions(target_cpu=CPU),
) -> Tuned:
    one, other = Stopwatch(slower_unless(*whole)), Stopwatch(slower_unless(*layers))
    notes: list[str] = []
    told: list[str] = []
    how = Tuning(seconds, str(path.parent / "cache"), one, other)
    hooks = Hooks(tell=told.append, note=notes.append)
    compiled = fastest(ncnn_opt.load(path).module.clone(), options, how, hooks)
    return Tuned(compiled, one.asked, other.asked, notes, told)


def entries(path: Path) -> dict[str, Any]:
    (file,) = (path.parent / "cache").iterdir()
    return json.loads(file.read_text())["entries"]


def test_the_faster_forms_are_those_of_the_model(path: Path) -> None:
    found = tuned(path)
    # Each convolution, the one with the most multiply-adds first; then all of it.
    assert found.whole == [["estimated", "tuned"]]
    assert [sorted(forms) for forms in found.layers][1:] == [["conv1x1_gemm", "conv1x1_nhwc"]] * 2
    assert "columns" in found.layers[0]
    assert [text.partition(",")[0] for text in found.told] == [
        "convolution 1 of 3",
        "convolution 2 of 3",
        "convolution 3 of 3",
        "the estimated model",
        "the tuned model",
    ]
    assert found.notes == [
        "estimated forms 1e+03 ms, 3 of 3 convolutions in other forms 1 ms: tuned"
    ]
    assert found.has("into tensor<144x16xf32>")  # `flat`
    assert found.has("tensor<12x12x1x3x96xf32>")  # `columns`


def test_what_was_measured_is_not_measured_again(path: Path) -> None:
    first, second = tuned(path), tuned(path)
    assert (second.whole, second.layers) == ([], [])
    assert second.compiled.code == first.compiled.code
    (note,) = second.notes
    assert note.startswith("3 convolutions in other forms, as measured before (/")
    again = tuned(path, options=CompileOptions(target_cpu=CPU, flags=("--iree-opt-level=O2",)))
    assert len(again.layers) == 3  # of other code nothing is known


def test_the_whole_model_decides(path: Path) -> None:
    found = tuned(path, whole=("estimated", "tuned"))
    assert found.notes[0].endswith(": estimated")
    assert tuned(path).notes[0].startswith("estimated forms, as measured before")


def test_where_no_form_is_faster_no_more_is_compiled(path: Path) -> None:
    found = tuned(path, layers=())
    assert found.whole == [["estimated"]]
    assert found.notes[0].endswith(": estimated")


def test_single_convolutions_serve_other_models(path: Path) -> None:
    tuned(path)
    other = path.with_name("other.param")
    text = NET.replace("4 4", "5 5") + "Softmax soft 1 1 out scores 0=0\n"
    path.with_name("structure.param").write_text(text)
    model = ncnn_opt.load(path.with_name("structure.param"), weights="random:2")
    ncnn_opt.save(model, other)
    found = tuned(other)
    # The last one has another neighbour, and so has the first one's neighbour's nothing.
    assert [sorted(forms) for forms in found.layers] == [["conv1x1_gemm", "conv1x1_nhwc"]]


def test_without_time_no_form_is_measured_and_more_time_is_used_later(path: Path) -> None:
    found = tuned(path, seconds=0)
    assert (found.whole, found.layers) == ([["estimated"]], [])
    assert tuned(path, seconds=0).whole == []
    later = tuned(path, seconds=1000.0)
    assert len(later.layers) == 3
    assert tuned(path, seconds=2000.0).whole == []  # all are known


def test_without_time_known_convolutions_still_count(path: Path) -> None:
    """The first convolution is unknown, and there is no time for it; the others are known."""
    tuned(path)
    (file,) = (path.parent / "cache").iterdir()
    said = json.loads(file.read_text())
    widest = max(
        (key for key, entry in said["entries"].items() if "form" in entry),
        key=lambda key: "3x3" in said["entries"][key]["convolution"],
    )
    whole = next(key for key, entry in said["entries"].items() if "forms" in entry)
    del said["entries"][widest], said["entries"][whole]
    file.write_text(json.dumps(said))
    found = tuned(path, seconds=0)
    assert found.layers == []
    assert "2 of 2 convolutions in other forms" in found.notes[0]


@pytest.mark.parametrize(
    "change",
    [
        {"forms": ["conv1x1_gemm"]},
        {"forms": {"gone": "conv1x1_gemm"}},
        {"form": "gone"},
        {"form": ["conv1x1_gemm"]},
    ],
    ids=str,
)
def test_what_is_no_choice_is_measured_again(change: dict[str, Any], path: Path) -> None:
    tuned(path)
    (file,) = (path.parent / "cache").iterdir()
    said = json.loads(file.read_text())
    for entry in said["entries"].values():
        if change.keys() & entry.keys() or "form" in change:
            entry.update(change)
            if "form" in change:
                entry.pop("forms", None)
    file.write_text(json.dumps(said))
    assert tuned(path).notes[0].endswith(": tuned")
    kept = [entry["form"] for entry in entries(path).values() if "form" in entry]
    assert sorted(kept) == ["columns", "conv1x1_gemm", "conv1x1_gemm"]
    assert all(isinstance(entry.get("forms", {}), dict) for entry in entries(path).values())


def test_a_form_that_iree_refuses_is_left_out(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(lowered: Lowered, *_: object) -> bytes:
        text = text_of(lowered)
        if b"tensor<12x12x1x3x96xf32>" in text:  # `columns`
            raise NativeError("IREE does not compile the model: too large")
        return text

    monkeypatch.setattr(iree_compile, "compile_code", refusing)
    found = tuned(path)
    assert "columns" not in found.layers[0]
    assert len(found.layers) == 3
    assert found.notes[0].endswith(": tuned")
    assert not found.has("tensor<12x12x1x3x96xf32>")


def test_a_folder_that_cannot_be_written_is_said(path: Path) -> None:
    (path.parent / "cache").write_text("a file")
    found = tuned(path, layers=())
    assert found.compiled.code
    place = path.parent / "cache"
    assert found.notes[-1] == f"measurements are not kept: '{place}': File exists"
    assert place.read_text() == "a file"


RELU = "7767517\n2 2\nInput data 0 1 data 0=7\nReLU r 1 1 data out\n"


def test_a_model_without_convolutions_has_nothing_to_tune(path: Path) -> None:
    path.write_text(RELU)
    path.with_suffix(".bin").write_bytes(b"")
    found = tuned(path)
    assert (found.whole, found.layers) == ([], [])
    assert found.notes == ["there is no convolution to tune"]
    assert not (path.parent / "cache").exists()


def test_extents_must_be_known(path: Path) -> None:
    path.write_text(RELU.replace("0=7", "0=7 1=5 2=3"))
    path.with_suffix(".bin").write_bytes(b"")
    model = ncnn_opt.load(path, shapes={"data": (3, 5, None)})
    with pytest.raises(NativeError, match="--autotune needs the extents of input 'data'"):
        fastest(model.module.clone(), CompileOptions(), Tuning(folder=str(path.parent)))


@pytest.mark.parametrize(
    "options", [CompileOptions("cuda"), CompileOptions(target_triple="aarch64-linux-gnu")]
)
def test_code_of_another_processor_is_not_run(options: CompileOptions, path: Path) -> None:
    with pytest.raises(NativeError, match="--autotune measures on this machine's CPU"):
        tuned(path, options=options)


class Interrupted(Exception):
    """What a user does meanwhile."""


def test_what_is_compiled_side_by_side_ends_with_us(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[float] = []

    def endless(lowered: Lowered, options: CompileOptions, tick: Callable[[], None]) -> bytes:
        begun.append(0.0)
        while True:
            tick()
            sleep(0.01)

    def interrupted() -> None:
        if begun:
            raise Interrupted

    monkeypatch.setattr(iree_compile, "compile_code", endless)
    some: Any = None
    with pytest.raises(Interrupted):
        iree_compile.compile_codes({"a": some, "b": some}, CompileOptions(), interrupted)
