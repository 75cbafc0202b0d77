"""Where the values of inputs come from."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.tools.ncnn_run_main import main
from numpy.typing import ArrayLike

Run = Callable[..., str]


def result(path: str = "out.npz") -> dict[str, list[float]]:
    with np.load(path) as blobs:
        return {name: blobs[name].tolist() for name in blobs}


def save(path: str, values: ArrayLike, dtype: str = "f4") -> None:
    np.save(path, np.array(values, dtype))


def test_array_of_the_only_input(run: Run) -> None:
    save("x.npy", np.arange(12).reshape(3, 2, 2), "f8")
    run("scores.param", "--input", "x.npy", "-o", "out.npz")
    assert result() == {"prob": [3, 11, 19]}


def test_integers_are_floats(run: Run) -> None:
    save("x.npy", np.ones((3, 2, 2)), "u1")
    run("scores.param", "--input", "data=x.npy", "-o", "out.npz")
    assert result() == {"prob": [2, 2, 2]}


def test_arrays_by_name(run: Run) -> None:
    arrays: dict[str, Any] = {"a": np.array([5, 5]), "b=c": np.array([1, 2]), "other": np.zeros(7)}
    np.savez("in.npz", **arrays)
    run("two.param", "--input", "in.npz", "-o", "out.npz")
    assert result() == {"diff": [4, 3]}
    save("a.npy", [0, 0])
    run("two.param", "--input", "in.npz", "--input", "a=a.npy", "-o", "out.npz")
    assert result() == {"diff": [-1, -2]}
    run("two.param", "--input", "a=in.npz", "--input", "b=c=in.npz", "-o", "out.npz")
    assert result() == {"diff": [4, 3]}


def test_random_values_are_those_of_the_seed(run: Run) -> None:
    shapes = ("two.param", "--input-shape", "b=c=2", "--all-blobs", "-o", "out.npz")
    results: list[dict[str, list[float]]] = []
    for seed in ("0", "0", "1"):
        run(*shapes, "--input", "random", "--seed", seed)
        results.append(result())
    first, same, other = results
    assert first == same
    assert first["a"] != first["b=c"]
    assert first["a"] != other["a"]
    assert all(-1 <= v < 1 for values in (first["a"], first["b=c"]) for v in values)


def test_named_inputs_and_random_ones(run: Run) -> None:
    save("a.npy", [7, 8])
    arguments = ("--input", "random", "--input", "a=a.npy", "--input-shape", "b=c=2")
    run("two.param", *arguments, "--all-blobs", "-o", "out.npz")
    assert result()["a"] == [7, 8]


def test_indices_are_integers(run: Run) -> None:
    save("ids.npy", [4, 0, 1], "i8")
    run("words.param", "--input", "ids.npy", "-o", "out.npz")
    assert result() == {"rows": [[8, 9], [0, 1], [2, 3]]}
    run("words.param", "--input", "random", "--blob", "ids", "-o", "out.npz")
    assert set(result()["ids"]) <= set(range(5))
    with np.load("out.npz") as blobs:
        assert blobs["ids"].dtype == np.int32


def test_past_keys_that_are_not_there(run: Run) -> None:
    run("attention.param", "--input", "random", "--all-blobs", "-o", "out.npz")
    with np.load("out.npz") as blobs:
        assert blobs["keys"].shape == blobs["values"].shape == (1, 0, 4)
        assert (blobs["all_keys"] == blobs["x"]).all()
    past = ("--input-shape", "keys=1,2,4", "--input-shape", "values=1,2,4")
    run("attention.param", "--input", "random", *past, "--all-blobs", "-o", "out.npz")
    with np.load("out.npz") as blobs:
        assert (blobs["all_keys"] == np.concatenate([blobs["keys"], blobs["x"]], 1)).all()


def test_indices_that_are_none(refused: Run) -> None:
    for value in (0.5, 2**31, float("nan")):
        save("ids.npy", [1, value, 2], "f8")
        message = refused("words.param", "--input", "ids.npy")
        assert message == "input 'ids' holds indices: integers of 32 bits"


def test_image(run: Run) -> None:
    image = pytest.importorskip("PIL.Image")
    pixels = np.zeros((2, 2, 3), "u1")
    pixels[..., 0], pixels[..., 2] = 200, 100  # red and blue
    image.fromarray(pixels).save("x.png")
    run("scores.param", "--input", "x.png", "-o", "out.npz")
    assert result() == {"prob": [200, 0, 400]}
    run("scores.param", "--input", "x.png", "--to-rgb", "-o", "out.npz")
    assert result() == {"prob": [400, 0, 200]}
    run("scores.param", "--input", "x.png", "--mean", "100,0,50", "--norm", "0.5", "-o", "out.npz")
    assert result() == {"prob": [0, 0, 150]}


def test_image_has_the_size_that_the_model_says(run: Run) -> None:
    image = pytest.importorskip("PIL.Image")
    image.fromarray(np.full((5, 7, 3), 10, "u1")).save("x.png")
    run("scores.param", "--input", "x.png", "-o", "out.npz")
    assert result() == {"prob": [20, 20, 20]}
    shape = ("--input-shape", "data=3,?,?", "--all-blobs", "-o", "out.npz")
    run("scores.param", "--input", "x.png", *shape)
    with np.load("out.npz") as blobs:
        assert blobs["data"].shape == (3, 5, 7)
    run("scores.param", "--input", "x.png", "--input-shape", "data=1,2,2", "-o", "out.npz")
    assert result() == {"prob": [20]}


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (("--mean", "1,2"), "--mean has 2 values, the image 3 channels"),
        (("--input-shape", "data=4,2,2"), "input 'data' is 4x2x2: an image has 3 dims and "),
        (("--input-shape", "data=3,2"), "input 'data' is 3x2: an image has 3 dims and "),
    ],
)
def test_image_that_does_not_fit(
    refused: Run, option: tuple[str, str], message: str, folder: Path
) -> None:
    image = pytest.importorskip("PIL.Image")
    image.fromarray(np.zeros((2, 2, 3), "u1")).save("x.png")
    assert refused("scores.param", "--input", "x.png", *option).startswith(message)


def test_without_pillow(refused: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "x.png").touch()
    monkeypatch.setitem(__import__("sys").modules, "PIL", None)
    assert refused("scores.param", "--input", "x.png") == (
        "'x.png' is read with Pillow, which is not installed: pip install 'ncnn-opt[image]'"
    )


def test_files_that_are_none(refused: Run, folder: Path) -> None:
    pytest.importorskip("PIL")
    (folder / "x.npy").write_text("no array")
    (folder / "x.npz").write_text("no arrays")
    (folder / "x.jpg").write_text("no image")
    (folder / "empty.npy").touch()
    assert refused("scores.param", "--input", "x.npy").startswith("x.npy: ")
    assert refused("scores.param", "--input", "empty.npy").startswith("empty.npy: ")
    assert refused("scores.param", "--input", "x.npz").startswith("x.npz: ")
    assert refused("scores.param", "--input", "x.jpg") == (
        "'x.jpg' is neither .npy, .npz nor an image"
    )
    for name in ("gone.npy", "gone.npz", "gone.png"):
        assert refused("scores.param", "--input", name) == f"{name}: No such file or directory"


def test_names_that_are_none(refused: Run) -> None:
    save("x.npy", [1, 2])
    np.savez("in.npz", aa=np.zeros(2))
    assert refused("two.param", "--input", "x.npy") == (
        "--input takes NAME=SOURCE, not 'x.npy'; the inputs are 'a', 'b=c'"
    )
    assert refused("two.param", "--input", "bb=x.npy").startswith("there is no input 'bb'")
    assert refused("two.param", "--input", "a=in.npz") == (
        "in.npz: there is no array 'a'; did you mean 'aa'?"
    )
    assert refused("two.param", "--input", "a=x.npy", "--input", "a=x.npy") == (
        "--input is given twice for 'a'"
    )
    assert refused("two.param", "--input", "a=") == "--input a=: there is no source"
    assert refused("two.param", "--input", "a=x.npy") == (
        "two.param: input 'b=c' is missing; it is tensor<*xf32>"
    )
    assert refused("two.param", "--input", "random") == (
        "the shape of input 'b=c' is not known (tensor<*xf32>); give it with --input-shape b=c=…"
    )


def test_shapes_that_do_not_fit(refused: Run) -> None:
    save("x.npy", np.zeros((2, 3)))
    assert refused("scores.param", "--input", "x.npy") == (
        "scores.param: input 'data' has shape 2x3, the model takes 3x2x2"
    )
    batch = ": leave out the batch axis, as in x[0]"
    for shape, hint in (((1, 3, 2, 2), batch), ((2, 3, 2, 2), ""), ((1, 3, 2, 2, 1), "")):
        save("x.npy", np.zeros(shape))
        words = "x".join(map(str, shape))
        assert refused("scores.param", "--input", "x.npy") == (
            f"scores.param: input 'data' has shape {words}, the model takes 3x2x2{hint}"
        )
    save("x.npy", np.zeros((1, 3, 2, 2)))
    Path("conv.param").write_text(
        "7767517\n2 2\nInput x 0 1 x\nConvolution c 1 1 x y 0=1 1=1 6=3\n"
    )
    takes = "conv.param: Convolution 'c' takes 3,?,? or 3 by its weights, and gets 1,3,2,2"
    random = ("conv.param", "--weights", "random")
    assert refused(*random, "--input", "x.npy") == takes + batch
    assert refused(*random, "--input", "random", "--input-shape", "x=1,3,2,2") == (
        f"{takes}; try --input-shape x=3,2,2 (leave out the batch axis)"
    )
    assert refused(*random, "--input", "random", "--input-shape", "x=1x3x2x2").endswith(
        ", not '1x3x2x2'; write 3,2,2, without the batch axis"
    )
    np.save("x.npy", np.array(["a"]))
    assert refused("scores.param", "--input", "x.npy") == (
        "input 'data' has elements of <U1, which are no numbers"
    )


def test_extents_that_the_model_declares_otherwise(
    run: Run, refused: Run, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are hints: what the weights allow is computed, after a warning."""
    save("x.npy", np.ones((3, 4, 5)))
    main(["scores.param", "--input", "x.npy", "-o", "out.npz"])
    assert capsys.readouterr().err == (
        "ncnn-run: warning: input 'data' is declared as 3x2x2, the values are 3x4x5: declared "
        "extents are hints, and the weights allow these\n"
    )
    assert result() == {"prob": [10, 10, 10]}
    (folder / "fc.param").write_text(FC)
    (folder / "fc.bin").write_bytes(bytes(4 + 4 * 6))
    save("x.npy", np.ones((3, 1, 1)))
    run("fc.param", "--input", "x.npy", "-o", "out.npz")
    save("x.npy", np.ones((3, 1, 2)))
    assert refused("fc.param", "--input", "x.npy") == (
        "fc.param: InnerProduct 'fc' takes 3 or ?,3 by its weights, and gets 3,1,2"
    )


FC = """7767517
2 2
Input data 0 1 data 0=1 1=1 2=3
InnerProduct fc 1 1 data fc 0=2 1=0 2=6
"""
