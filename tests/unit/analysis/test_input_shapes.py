"""Proposed shapes of inputs: the inference of the whole model accepts each of them."""

from pathlib import Path

import pytest
from ncnn_opt.analysis.input_shapes import advice, fitting_shape, likely_shapes, misfits
from ncnn_opt.analysis.shape_inference import infer, set_input_shapes
from ncnn_opt.dialects.ncnn.lookup import model_of
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import PassFailedException

import ncnn_opt

NET = """7767517
3 3
Input data 0 1 data{declared}
Convolution conv 1 1 data c 0=4 1={kernel} 6={weights}
InnerProduct fc 1 1 c out 0=2 2={read}
"""
"""A window of 41x41 by default, and a layer that takes the blob of one input size."""


def read(tmp_path: Path, takes: int, declared: str = "", kernel: int = 41) -> FuncOp:
    """Return a model whose second layer takes `takes` values."""
    weights, read = 12 * kernel * kernel, 2 * takes
    text = NET.format(declared=declared, kernel=kernel, weights=weights, read=read)
    (tmp_path / "m.param").write_text(text)
    return model_of(ncnn_opt.load(tmp_path / "m.param", weights="none").module)


def refusal(func: FuncOp, **shapes: tuple[int, ...]) -> str:
    with pytest.raises(PassFailedException) as error:
        set_input_shapes(func, shapes)
    return str(error.value).partition("; ")[2]


def test_a_proposed_shape_fits_all_windows(tmp_path: Path) -> None:
    """Of the usual extents, 32 comes before 48, and does not contradict the second layer: its
    window does not fit, so that the second layer's input is unknown."""
    func = read(tmp_path, 4 * 8 * 8)
    assert refusal(func.clone(), data=(3, 96, 96)) == "try --input-shape data=3,48,48"
    assert fitting_shape(func, 0, (3, 96, 96)) == (3, 48, 48)
    set_input_shapes(func, {"data": (3, 48, 48)})


def test_nothing_is_proposed_if_nothing_fits(tmp_path: Path) -> None:
    func = read(tmp_path, 4 * 7 * 5)
    assert refusal(func.clone(), data=(3, 96, 96)) == ""
    assert refusal(func.clone(), data=(1, 3, 96, 96)) == ""
    assert fitting_shape(func, 0, (3, 96, 96)) is None


def test_the_declared_shape_is_proposed(tmp_path: Path) -> None:
    rows_first = read(tmp_path, 4 * 7 * 5, " 0=45 1=47 2=3")
    assert refusal(rows_first, data=(3, 96, 96)) == "try --input-shape data=3,47,45"
    channels_last = read(tmp_path, 4 * 7 * 5, " 0=3 1=45 2=47")
    assert refusal(channels_last, data=(3, 96, 96)) == "try --input-shape data=3,47,45"


def test_fewer_known_extents_of_a_contradicting_file_are_accepted(tmp_path: Path) -> None:
    func = read(tmp_path, 4 * 7 * 5, " 0=3 1=45 2=47")
    set_input_shapes(func.clone(), {"data": (47, DYNAMIC_INDEX, 3)})
    assert refusal(func.clone(), data=(47, DYNAMIC_INDEX, 4))
    assert refusal(func.clone(), data=(46, DYNAMIC_INDEX, 3))


def test_a_contradicting_shape_is_refused_if_the_declared_one_contradicts_too(
    tmp_path: Path,
) -> None:
    func = read(tmp_path, 4 * 8 * 8, " 0=3 1=48 2=48")
    assert refusal(func.clone(), data=(4, 96, 96)) == "try --input-shape data=3,48,48"
    set_input_shapes(func, {"data": (48, 48, 3)})  # the declared shape, whose fault is the file's


@pytest.mark.parametrize(("extent", "fits"), [(40, False), (41, True)])
def test_misfits(extent: int, fits: bool, tmp_path: Path) -> None:
    func = read(tmp_path, 4)
    infer(func, {func.body.block.args[0]: (3, extent, extent)})
    expected = "the window of Convolution 'conv' does not fit into 3,40,40"
    assert [str(each) for each in misfits(func)] == ([] if fits else [expected])


def test_a_window_on_unknown_extents_may_fit(tmp_path: Path) -> None:
    assert list(misfits(read(tmp_path, 4))) == []


def test_rare_extents_are_likely_if_no_usual_one_fits(tmp_path: Path) -> None:
    assert likely_shapes(read(tmp_path, 4 * 26 * 26, kernel=3)) == {0: (3, 28, 28)}
    assert likely_shapes(read(tmp_path, 4 * 30 * 30, kernel=3)) == {0: (3, 32, 32)}


def test_advice_names_a_shape_only_if_it_runs(tmp_path: Path) -> None:
    takes = "Convolution 'conv' takes 3,?,?; "
    assert advice(read(tmp_path, 4 * 8 * 8), 0) == f"{takes}try --input-shape data=3,48,48"
    assert advice(read(tmp_path, 4 * 7 * 5), 0) == f"{takes}give it with --input-shape data=…"
