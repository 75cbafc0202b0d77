"""A kill at any moment: the graph and weights that are there belong together, nothing is lost, and
the next run puts all in order."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from ncnn_opt.targets.atomic_files import OutputFiles
from ncnn_opt.targets.replacement import NONE, SAVED, describe_leftover, locked

from .killing import Writer, refuse, run_until, writing

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="needs fork")]

OLD = {"m.bin": "old weights", "m.param": "old graph"}
NEW = {"m.bin": "new weights", "m.param": "new graph"}
NEWER = {"m.bin": "newer weights", "m.param": "newer graph"}
Files = dict[str, str]
LINK = os.link


def put(folder: Path, files: Files) -> None:
    for name, text in files.items():
        (folder / name).write_text(text)


def content(folder: Path) -> Files:
    """All files that are not hidden."""
    return {p.name: p.read_text() for p in folder.iterdir() if not p.name.startswith(".")}


def pair(files: Files, ending: str = "") -> Files:
    return {k: files[k + ending] for k in ("m.bin", "m.param") if k + ending in files}


def check(folder: Path, before: Files, *written: Files) -> None:
    """What must hold after a kill."""
    found = content(folder)
    complete = [before, *written]
    if "m.param" in found:
        assert pair(found) in complete
        return
    # No graph: nobody takes the weights for anything. The last complete model is still there.
    kept = {**pair(found), **pair(found, SAVED)}
    if "m.bin" + NONE in found:
        kept.pop("m.bin", None)
    assert kept in complete
    if "m.param" in kept:
        assert describe_leftover(str(folder / "m.param")) is not None


def fresh(folder: Path, number: int, files: Files) -> Path:
    place = folder / str(number)
    place.mkdir()
    put(place, files)
    return place


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk itself plays no part here."""
    monkeypatch.setattr(os, "fsync", int)


@pytest.fixture(params=["with links", "without links"])
def writer(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Writer]:
    """Of file systems that know hard links and those that do not."""
    if request.param == "without links":
        monkeypatch.setattr(os, "link", refuse)
    writer = Writer(request.param == "with links")
    yield writer
    writer.stop()


@pytest.mark.parametrize(
    "before",
    [{}, OLD, {"m.bin": "old weights"}, {"m.param": "old graph"}],
    ids=lambda b: "+".join(b),
)
def test_kill_at_each_step(writer: Writer, tmp_path: Path, before: Files) -> None:
    last, ended = 0, False
    while not ended:
        place = fresh(tmp_path, last, before)
        ended = writer.run_until(last, place, NEW)
        check(place, before, NEW)
        writing(place, NEWER)()
        assert sorted(os.listdir(place)) == ["m.bin", "m.param"]
        assert content(place) == NEWER
        last += 1
    assert last > 15


def test_kill_of_the_run_after_a_killed_one(writer: Writer, tmp_path: Path) -> None:
    # All that a first killed run can leave, each once.
    leftovers: dict[object, Path] = {}
    first, ended = 0, False
    while not ended:
        place = fresh(tmp_path, first, OLD)
        ended = writer.run_until(first, place, NEW)
        hidden = sum(p.name.startswith(".") for p in place.iterdir())
        leftovers.setdefault((hidden, *sorted(content(place).items())), place)
        first += 1
    assert len(leftovers) > 5
    for left in leftovers.values():
        second, ended = 0, False
        while not ended:
            place = tmp_path / f"{left.name}.{second}"
            shutil.copytree(left, place, copy_function=link_or_copy())
            ended = writer.run_until(second, place, NEWER)
            check(place, OLD, NEW, NEWER)
            writing(place, OLD)()
            assert sorted(os.listdir(place)) == ["m.bin", "m.param"]
            second += 1


def link_or_copy() -> Callable[[str, str], object]:
    """Copies files so that two names of one file stay two names of one file."""

    def copy(source: str, target: str) -> object:
        twin = source.removesuffix(SAVED)
        if twin != source and os.path.exists(twin) and os.path.samefile(source, twin):
            copied = os.path.join(os.path.dirname(target), os.path.basename(twin))
            shutil.copy2(twin, copied)
            return LINK(copied, target)
        return None if os.path.exists(target) else shutil.copy2(source, target)

    return copy


def test_a_killed_run_that_only_had_temporary_files(tmp_path: Path) -> None:
    put(tmp_path, OLD)
    assert not run_until(12, writing(tmp_path, NEW))
    assert [name for name in os.listdir(tmp_path) if name.endswith(".tmp")]
    assert content(tmp_path) == OLD
    writing(tmp_path, NEW)()
    assert sorted(os.listdir(tmp_path)) == ["m.bin", "m.param"]


def test_temporary_files_of_a_living_run_stay(tmp_path: Path) -> None:
    with OutputFiles() as one:
        one.create(str(tmp_path / "m.param"), "w").write("first")
        writing(tmp_path, {"m.param": "second"})()
        assert content(tmp_path) == {"m.param": "second"}
    assert content(tmp_path) == {"m.param": "first"}


def test_files_of_others_stay(tmp_path: Path) -> None:
    others = {".m.param.backup": "a", ".m.param.12345678.tmp.gz": "b", "m.param.saved": "c"}
    put(tmp_path, others)
    writing(tmp_path, NEW)()
    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == {**others, **NEW}


def test_a_leftover_is_found_through_a_link(tmp_path: Path) -> None:
    link, aside = tmp_path / "link.param", tmp_path / f"m.param{SAVED}"
    link.symlink_to("m.param")
    assert describe_leftover(str(link)) is None
    aside.write_text("old graph")
    told = describe_leftover(str(link))
    assert told is not None
    assert told.endswith(f"left it as '{aside}'")


def test_a_run_that_is_at_it_was_not_killed(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    (tmp_path / f"m.param{SAVED}").write_text("old graph")
    with locked([str(tmp_path)]):
        told = describe_leftover(str(tmp_path / "m.param"))
    assert told == "another command is replacing it"
