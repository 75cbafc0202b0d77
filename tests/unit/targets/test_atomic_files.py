"""Files appear whole and together, or not at all."""

import errno
import os
import stat
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from ncnn_opt.targets.atomic_files import OutputFiles
from ncnn_opt.targets.replacement import SAVED, locked

SUPERUSER = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs the superuser"
)
POSIX = pytest.mark.skipif(os.name != "posix", reason="needs POSIX")


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


def refuse(number: int) -> Callable[..., NoReturn]:
    """A function that fails with this error."""

    def fail(*_: object, **__: object) -> NoReturn:
        raise OSError(number, os.strerror(number))

    return fail


def content(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


@SUPERUSER
def test_a_replaced_file_keeps_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "old"
    path.write_text("as it was")
    os.chown(path, 1234, 5678)
    path.chmod(0o660)
    write(path)
    state = path.stat()
    assert (state.st_uid, state.st_gid, stat.S_IMODE(state.st_mode)) == (1234, 5678, 0o660)


@SUPERUSER
def test_another_group_does_not_get_the_rights_of_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "old"
    path.write_text("as it was")
    os.chown(path, 1234, 5678)
    path.chmod(0o664)
    monkeypatch.setattr(os, "chown", refuse(errno.EPERM))  # as for anybody else
    write(path)
    assert path.stat().st_gid != 5678
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_a_file_system_without_permissions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "old"
    path.write_text("as it was")
    for name in ("chmod", "chown"):
        monkeypatch.setattr(os, name, refuse(errno.EPERM), raising=False)
    write(path, tmp_path / "new")
    assert content(tmp_path) == {"old": "new old", "new": "new new"}


def test_the_umask_of_other_threads_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "umask", refuse(errno.EPERM))
    write(tmp_path / "new")


def test_a_file_system_that_cannot_be_synchronized(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", refuse(errno.EINVAL))
    write(tmp_path / "one", tmp_path / "two")
    assert content(tmp_path) == {"one": "new one", "two": "new two"}


@POSIX
@pytest.mark.parametrize("good", range(6))
@pytest.mark.parametrize("old", [True, False], ids=["over old files", "where none were"])
def test_a_disk_that_fails(
    old: bool, good: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {"m.bin": "old weights", "m.param": "old graph"} if old else {}
    for name, text in before.items():
        (tmp_path / name).write_text(text)
    left = good if old else min(good, 4)  # without an old graph there is a step less

    def fsync(handle: int) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            refuse(errno.EIO)()

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(OSError, match=os.strerror(errno.EIO)):
        write(tmp_path / "m.bin", tmp_path / "m.param")
    assert content(tmp_path) == before


def test_errors_name_the_file_that_was_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rename(source: str, target: str) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM), source, None, target)

    (tmp_path / "b").write_text("as it was")
    monkeypatch.setattr(os, "replace", rename)
    with pytest.raises(PermissionError) as caught:
        write(tmp_path / "a", tmp_path / "b")
    assert caught.value.filename == str(tmp_path / "a")


def test_what_cannot_be_removed_does_not_hide_the_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write_in_vain() -> None:
        with OutputFiles() as files:
            files.create(str(tmp_path / "new"), "w")
            raise KeyError

    with monkeypatch.context() as patch:
        patch.setattr(os, "unlink", refuse(errno.EPERM))
        with pytest.raises(KeyError):
            write_in_vain()
    write(tmp_path / "new")
    assert content(tmp_path) == {"new": "new new"}


@POSIX
def test_a_name_without_room_for_another(tmp_path: Path) -> None:
    longest = os.pathconf(tmp_path, "PC_NAME_MAX") - len(SAVED)
    path = tmp_path / ("x" * longest)
    for _ in range(2):
        write(path, path.with_name("b" * longest))
    with pytest.raises(OSError, match=f"too long: the limit is {longest} bytes"):
        write(tmp_path / "other", tmp_path / ("x" * (longest + 1)))
    assert sorted(content(tmp_path)) == ["b" * longest, "x" * longest]


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="no /dev/fd")
def test_what_is_open_already_is_written_to_at_its_place(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("as it was, ")
    with log.open("a") as stream:
        write(Path(f"/dev/fd/{stream.fileno()}"))
    assert log.read_text().startswith("as it was, new ")
    with pytest.raises(OSError, match="Bad file descriptor") as caught:
        write(Path("/dev/fd/987654"))
    assert caught.value.filename == "/dev/fd/987654"


def test_a_check_before_anything_is_replaced(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    path, calls = tmp_path / "m", list[bool]()
    path.write_text("as it was")

    def check() -> None:
        assert content(tmp_path)["m"] == "as it was"
        try:
            with locked([str(tmp_path)], seconds=0):
                calls.append(False)
        except TimeoutError:
            calls.append(True)
            raise

    def write_checked() -> None:
        with OutputFiles() as files:
            files.create(str(path), "w").write("new")
            files.before_replacing(check)

    with pytest.raises(TimeoutError):
        write_checked()
    assert calls == [False, True]  # the second time nobody else may replace anything
    assert content(tmp_path) == {"m": "as it was"}


def test_the_working_directory_is_no_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real path of an empty name is that of the working directory."""
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")

    def create() -> None:
        with OutputFiles() as files:
            files.create("beside", "w").write("text")
            files.create("", "w").write("text")

    with pytest.raises(FileNotFoundError, match="the name of the output is empty"):
        create()
    assert list(tmp_path.rglob("*")) == [tmp_path / "work"]


@pytest.mark.parametrize("place", ["first", "last"])
def test_a_folder_that_appears_meanwhile_stays(place: str, tmp_path: Path) -> None:
    def create() -> None:
        with OutputFiles() as files:
            for name in ("first", "last"):
                files.create(str(tmp_path / name), "w").write("text")
            (tmp_path / place).mkdir()
            (tmp_path / place / "content").touch()

    with pytest.raises(IsADirectoryError):
        create()
    assert sorted(tmp_path.rglob("*")) == [tmp_path / place, tmp_path / place / "content"]
