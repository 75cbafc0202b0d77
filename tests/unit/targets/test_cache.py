"""Measurements are kept in a file."""

import json
from pathlib import Path

import pytest
from ncnn_opt.targets import cache as caches
from ncnn_opt.targets.cache import Cache, default_folder

MACHINE = {"cpu": "Some CPU (R) 3000", "iree": "3.13.0", "ncnn-opt": "0.1.0"}


def test_what_is_put_is_there_for_the_next_one(tmp_path: Path) -> None:
    cache = Cache.of(MACHINE, str(tmp_path / "new" / "folder"))
    assert cache.get("a") is None
    cache.put("a", {"form": "direct"})
    cache.save()
    assert Cache.of(MACHINE, str(tmp_path / "new" / "folder")).get("a") == {"form": "direct"}
    (file,) = (tmp_path / "new" / "folder").iterdir()
    assert file.name.startswith("tuning-some-cpu-r-3000-")
    assert json.loads(file.read_text())["machine"] == MACHINE


def test_other_machines_and_versions_have_other_files(tmp_path: Path) -> None:
    paths = {
        Cache.of(MACHINE | changed, str(tmp_path)).path
        for changed in ({}, {"cpu": "Some CPU (R) 3001"}, {"iree": "3.14.0"}, {"ncnn-opt": "0.2.0"})
    }
    assert len(paths) == 4


DAMAGED = {
    "empty": "",
    "cut": '{"format": 1, "entries": {"a": ',
    "no object": "[1, 2]",
    "deep": "[" * 100_000,
    "another format": json.dumps({"format": 0, "machine": MACHINE, "entries": {"a": {}}}),
    "another machine": json.dumps({"format": 1, "machine": {}, "entries": {"a": {}}}),
    "no entries": json.dumps({"format": 1, "machine": MACHINE, "entries": ["a"]}),
    "no entry": json.dumps({"format": 1, "machine": MACHINE, "entries": {"a": 3}}),
}


@pytest.mark.parametrize("text", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_file_counts_as_none_and_is_replaced(text: str, tmp_path: Path) -> None:
    cache = Cache.of(MACHINE, str(tmp_path))
    Path(cache.path).write_text(text)
    assert cache.get("a") is None
    cache.put("b", {"form": "flat"})
    cache.save()
    again = Cache.of(MACHINE, str(tmp_path))
    assert (again.get("a"), again.get("b")) == (None, {"form": "flat"})


def test_bytes_that_are_no_text_count_as_none(tmp_path: Path) -> None:
    cache = Cache.of(MACHINE, str(tmp_path))
    Path(cache.path).write_bytes(b"\xff\xfe\x00")
    assert cache.get("a") is None


def test_two_that_write_at_once_keep_what_both_found(tmp_path: Path) -> None:
    one, other = Cache.of(MACHINE, str(tmp_path)), Cache.of(MACHINE, str(tmp_path))
    assert (one.get("a"), other.get("b")) == (None, None)
    one.put("a", {"form": "direct"})
    other.put("b", {"form": "flat"})
    other.save()
    one.save()
    again = Cache.of(MACHINE, str(tmp_path))
    assert (again.get("a"), again.get("b")) == ({"form": "direct"}, {"form": "flat"})
    assert [path.suffix for path in tmp_path.iterdir()] == [".json"]


def test_what_was_not_used_for_the_longest_time_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caches, "MAX_ENTRIES", 3)
    for key in "abc":
        cache = Cache.of(MACHINE, str(tmp_path))
        cache.put(key, {"form": key})
        cache.save()
    cache = Cache.of(MACHINE, str(tmp_path))
    assert cache.get("a") == {"form": "a"}
    cache.put("d", {"form": "d"})
    cache.save()
    again = Cache.of(MACHINE, str(tmp_path))
    assert [key for key in "abcd" if again.get(key)] == ["a", "c", "d"]


def test_a_folder_that_is_none_is_an_error_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("as it was")
    cache = Cache.of(MACHINE, str(tmp_path / "file"))
    cache.put("a", {})
    with pytest.raises(FileExistsError):
        cache.save()
    assert (tmp_path / "file").read_text() == "as it was"


def test_the_usual_folder_is_that_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/some/caches")
    assert default_folder() == "/some/caches/ncnn-opt"
    monkeypatch.setenv("HOME", "/home/me")
    for other in ("", "not/absolute"):
        monkeypatch.setenv("XDG_CACHE_HOME", other)
        assert default_folder() == "/home/me/.cache/ncnn-opt"
