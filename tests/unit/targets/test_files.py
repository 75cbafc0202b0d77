"""Files appear whole and together, or not at all."""

import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from ncnn_opt.targets.files import OutputFiles


@pytest.fixture
def umask() -> Iterator[int]:
    old = os.umask(0o027)
    yield 0o027
    os.umask(old)


def write(*paths: Path) -> None:
    with OutputFiles() as files:
        for path in paths:
            files.create(str(path), "w").write(f"new {path.name}")


def test_files_appear_together_at_the_end(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("as it was")
    with OutputFiles() as files:
        files.create(str(old), "w").write("text")
        files.create(str(new), "wb").write(b"bytes")
        assert old.read_text() == "as it was"
        assert not new.exists()
    assert old.read_text() == "text"
    assert new.read_bytes() == b"bytes"
    assert sorted(tmp_path.iterdir()) == [new, old]


def test_nothing_appears_after_an_exception(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("as it was")

    def fail() -> None:
        with OutputFiles() as files:
            files.create(str(new), "w").write("x" * 100_000)
            files.create(str(old), "w").write("text")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert old.read_text() == "as it was"
    assert list(tmp_path.iterdir()) == [old]


def test_nothing_appears_if_a_later_file_cannot_be_made(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        write(tmp_path / "first", tmp_path / "nowhere" / "second")
    assert list(tmp_path.iterdir()) == []


def test_no_temporary_is_left_if_renaming_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def replace(source: str, target: str) -> None:
        raise PermissionError(13, "not today", target)

    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(PermissionError):
        write(tmp_path / "first", tmp_path / "second")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_what_cannot_be_flushed_leaves_nothing(tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.write_text("as it was")
    with pytest.raises(OSError, match="No space left"):
        write(old, Path("/dev/full"))
    assert old.read_text() == "as it was"
    assert list(tmp_path.iterdir()) == [old]


@pytest.mark.usefixtures("umask")
def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    write(tmp_path / "new")
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640


@pytest.mark.usefixtures("umask")
@pytest.mark.parametrize("mode", [0o600, 0o644, 0o666, 0o755])
def test_a_replaced_file_keeps_its_permissions(mode: int, tmp_path: Path) -> None:
    path = tmp_path / "old"
    path.write_text("as it was")
    path.chmod(mode)
    write(path)
    assert path.read_text() == "new old"
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_a_link_stays_and_its_target_changes(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "target", tmp_path / "link"
    target.write_text("as it was")
    link.symlink_to("there/target")
    write(link)
    assert link.is_symlink()
    assert target.read_text() == "new link"
    assert sorted(tmp_path.rglob("*")) == [link, target.parent, target]


def test_a_link_to_nothing_gets_its_target(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to("target")
    write(link)
    assert link.is_symlink()
    assert (tmp_path / "target").read_text() == "new link"


def test_a_hard_link_elsewhere_keeps_what_it_has(tmp_path: Path) -> None:
    path, other = tmp_path / "path", tmp_path / "other"
    path.write_text("as it was")
    os.link(path, other)
    write(path)
    assert other.read_text() == "as it was"


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        write(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_pipe_is_written_to_directly(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received: list[str] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_text()))
    reader.start()
    write(pipe)
    reader.join()
    assert received == ["new pipe"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_text_is_the_same_on_every_machine(tmp_path: Path) -> None:
    with OutputFiles() as files:
        files.create(str(tmp_path / "text"), "w").write("Größe\n")
    assert (tmp_path / "text").read_bytes() == b"Gr\xc3\xb6\xc3\x9fe\n"


def test_paths_relative_to_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(Path("new"))
    assert (tmp_path / "new").read_text() == "new new"


def test_a_temporary_file_can_be_looked_at_before_the_end(tmp_path: Path) -> None:
    path = tmp_path / "new"
    with OutputFiles() as files:
        files.create(str(path), "w").write("text")
        temporary = files.temporary_of(str(path))
        assert temporary is not None
        assert Path(temporary).read_text() == "text"
        assert Path(temporary).parent == tmp_path
        assert files.temporary_of(str(tmp_path / "other")) is None


def test_a_file_can_still_become_another_one(tmp_path: Path) -> None:
    (tmp_path / "planned").write_text("as it was")
    with OutputFiles() as files:
        files.create(str(tmp_path / "planned"), "w").write("text")
        files.retarget(str(tmp_path / "planned"), str(tmp_path / "actual"))
    assert (tmp_path / "planned").read_text() == "as it was"
    assert (tmp_path / "actual").read_text() == "text"
