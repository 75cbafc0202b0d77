"""Samples from files and from memory have the same values, and mistakes name their place."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.formats.errors import UsageError
from ncnn_opt.interpreters.errors import RunError
from ncnn_opt.samples.images import Preprocessing
from ncnn_opt.samples.reader import (
    SampleFiles,
    read_arrays,
    read_lists,
    read_samples,
    samples_in,
)
from ncnn_opt.samples.sources import Samples
from xdsl.dialects.func import FuncOp

import ncnn_opt

INDICES = """7767517
4 4
Input ids 0 1 ids 0=2
Input data 0 1 data 0=3 1=2
Embed embed 1 1 ids e 0=3 1=5 3=15
BinaryOp add 2 1 e data out 0=0
"""


@pytest.fixture
def func(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FuncOp:
    monkeypatch.chdir(tmp_path)
    Path("m.param").write_text(INDICES)
    return model_of(ncnn_opt.load("m.param", weights="random").module)


def arrays(count: int = 3) -> dict[str, Any]:
    ids = np.arange(2 * count).reshape(count, 2) % 5
    return {"ids": ids, "data": np.arange(6.0 * count).reshape(count, 2, 3)}


def values_of(samples: Samples) -> list[dict[str, tuple[str, list[Any]]]]:
    loaded = [samples.load(i) for i in range(len(samples.names()))]
    return [{n: (v.dtype.str, v.tolist()) for n, v in each.items()} for each in loaded]


def unexpected(text: str) -> None:
    raise AssertionError(text)


def test_all_places_have_the_same_values(func: FuncOp) -> None:
    given = arrays()
    np.savez("x.npz", **given)
    lists: list[str] = []
    for name, rows in given.items():
        for i, row in enumerate(rows):
            np.save(f"{name}{i}.npy", row)
        Path(f"{name}.txt").write_text("".join(f"{name}{i}.npy\n" for i in range(3)))
        lists.append(f"{name}.txt")
    one_by_one = [{name: rows[i] for name, rows in given.items()} for i in range(3)]
    how = dict.fromkeys(given, Preprocessing())
    found = [
        read_arrays(func, "x.npz", unexpected),
        read_lists(func, lists, how, adopt=True, on_warning=unexpected),
        samples_in(func, given, unexpected),
        samples_in(func, one_by_one, unexpected),
    ]
    first, *others = map(values_of, found)
    assert others == [first] * 3
    assert first[1] == {"ids": ("<i4", [2, 3]), "data": ("<f4", [[6, 7, 8], [9, 10, 11]])}
    assert found[0].names() == ["x.npz[0]", "x.npz[1]", "x.npz[2]"]
    assert found[1].names() == ["ids0.npy", "ids1.npy", "ids2.npy"]
    assert found[2].names() == ["sample 0", "sample 1", "sample 2"]


def test_a_digest_identifies_the_samples(func: FuncOp) -> None:
    np.savez("x.npz", **arrays())
    np.savez("y.npz", **arrays())
    same, again, other = (read_arrays(func, f"{n}.npz", unexpected) for n in "xxy")
    assert same.digest() == again.digest()
    assert len({same.digest(), other.digest(), same.first(2).digest()}) == 3
    assert same.first(2).names() == same.names()[:2]
    assert same.first(None) == same


def test_some_inputs_are_enough_only_if_asked(func: FuncOp) -> None:
    np.savez("x.npz", data=arrays()["data"])
    with pytest.raises(UsageError, match="x.npz: there is no array 'ids' for the input of that"):
        read_arrays(func, "x.npz", unexpected)
    samples = read_arrays(func, "x.npz", unexpected, partial=True)
    assert [list(samples.load(i)) for i in range(3)] == [["data"]] * 3


def changed(**others: Any) -> dict[str, Any]:
    return arrays() | others


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (changed(data=np.ones((3, 3))), r"x.npz: array 'data' is 3x3, samples x 2x3 are expected"),
        (changed(data=np.ones((3, 0, 3))), r"x.npz: array 'data' is 3x0x3: .* no elements"),
        (changed(ids=np.float32(1)), r"x.npz: array 'ids' has no axis that counts samples"),
        (changed(ids=np.array(["a"] * 3)), r"x.npz: array 'ids' has elements of <U1, which"),
        (changed(ids=arrays(2)["ids"]), r"x.npz: .* numbers of samples: 2 in 'ids', 3 in 'data'"),
        ({"ids": np.ones((0, 2)), "data": np.ones((0, 2, 3))}, "there are no samples in x.npz"),
    ],
)
def test_arrays_that_hold_no_samples(given: Any, message: str, func: FuncOp) -> None:
    np.savez("x.npz", **given)
    with pytest.raises(UsageError, match=message):
        read_arrays(func, "x.npz", unexpected)


def test_the_message_names_the_sample(func: FuncOp) -> None:
    np.savez("x.npz", **changed(ids=np.array([[0, 1], [0, 1.5], [2, 2]])))
    samples = read_arrays(func, "x.npz", unexpected)
    with pytest.raises(UsageError, match=r"x.npz\[1\]: input 'ids' holds indices: integers of"):
        values_of(samples)
    in_memory = samples_in(func, changed(ids=np.full((3, 2), 0.5)), unexpected)
    with pytest.raises(UsageError, match="sample 0: input 'ids' holds indices"):
        in_memory.load(0)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (lambda: {"data": arrays()["data"]}, "a sample has data, the model ids, data"),
        (list[object], "there are no samples"),
        (lambda: [np.ones(2)], "a sample is a mapping with ids, data"),
        (lambda: changed(ids=arrays(2)["ids"]), "the arrays have different numbers of samples"),
        (lambda: changed(data=np.ones((3, 2, 3, 1))), "sample 0: input 'data' has shape 2x3x1"),
    ],
)
def test_mistakes_in_memory(given: Callable[[], Any], message: str, func: FuncOp) -> None:
    with pytest.raises((UsageError, RunError), match=message):
        samples_in(func, given(), unexpected)


def test_samples_of_another_size_are_adopted_with_a_warning(func: FuncOp) -> None:
    said: list[str] = []
    samples = samples_in(func, changed(data=np.ones((3, 2, 1))), said.append)
    assert [text.partition(",")[0] for text in said] == ["input 'data' is declared as 2x3"]
    assert samples.load(0)["data"].shape == (2, 1)


@pytest.mark.parametrize(
    ("sizes", "resize", "notes"),
    [
        ([(5, 4), (5, 4)], True, []),
        ([(5, 4), (6, 4), (5, 8)], True, ["2 of 3 images are resized to 4x5"]),
        ([(5, 4), (5, 4)], False, []),
    ],
)
def test_resized_images_are_counted(
    sizes: list[tuple[int, int]],
    resize: bool,
    notes: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    monkeypatch.chdir(tmp_path)
    Path("i.param").write_text("7767517\n2 2\nInput x 0 1 x 0=5 1=4 2=3\nReLU y 1 1 x y\n")
    func = model_of(ncnn_opt.load("i.param", weights="random").module)
    for i, size in enumerate(sizes):
        image.new("RGB", size).save(f"{i}.png")
    names = [f"{i}.png" for i in range(len(sizes))]
    said: list[str] = []
    files = SampleFiles(names, None, [], None, Preprocessing((0,), (1,)), resize)
    samples = read_samples(func, files, said.append)
    assert said == notes
    assert {samples.load(i)["x"].shape for i in range(len(sizes))} == {(3, 4, 5)}
