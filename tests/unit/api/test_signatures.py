"""Signatures of public functions: plain types, present names, and former names for one release."""

import inspect
import pydoc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ncnn_opt
from ncnn_opt.signatures import renamed

api: Any = ncnn_opt

EXAMPLE = str(Path(__file__).parents[3] / "examples" / "small_cnn.param")

FUNCTIONS: list[Callable[..., object]] = [
    each
    for owner in (ncnn_opt, ncnn_opt.Model, ncnn_opt.CompiledModel)
    for name in (ncnn_opt.__all__ if owner is ncnn_opt else vars(owner))
    if inspect.isfunction(each := getattr(owner, name)) and not name.startswith("_")
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda each: each.__qualname__)
def test_signatures_have_plain_types(function: Callable[..., object]) -> None:
    text = str(inspect.signature(function))
    assert all(word not in text for word in ("Annotated", "Expected", "ForwardRef", "<function"))
    shown = pydoc.render_doc(function)
    assert "Annotated" not in shown
    assert "ForwardRef" not in shown


def test_a_signature_of_known_types() -> None:
    assert str(inspect.signature(ncnn_opt.load_compiled)) == (
        "(path: str | os.PathLike[str]) -> ncnn_opt.compiled.CompiledModel"
    )
    parameters = inspect.signature(ncnn_opt.Model.run).parameters
    assert parameters["inputs"].annotation == "Given | None"
    assert parameters["seed"].annotation is int
    assert parameters["seed"].default == 0
    assert len(str(inspect.signature(ncnn_opt.quantize))) < 1100


def test_only_public_names_are_listed() -> None:
    assert dir(ncnn_opt) == sorted([*ncnn_opt.__all__, "__version__"])
    assert all(hasattr(ncnn_opt, name) for name in dir(ncnn_opt))


FORMER: list[tuple[Callable[[Any, dict[str, Any]], object], str, str]] = [
    (lambda model, given: api.quantize(model, 3, **given), "tune", "keep_slower"),
    (lambda model, given: api.quantize(model, 3, **given), "max_error", "max_nsr"),
    (lambda model, given: api.quantize(model, 3, **given), "measured", "eval_samples"),
    (lambda model, given: api.quantize(model, 3, **given), "held_back", "holdout"),
    (lambda model, given: model.compile(**given), "target", "target_device"),
    (lambda model, given: model.compile(**given), "tune", "autotune"),
    (lambda model, given: model.compile(**given), "tune_seconds", "autotune_seconds"),
    (lambda model, given: model.compile(**given), "tune_cache", "autotune_cache"),
    (lambda model, given: ncnn_opt.make_dynamic(model, {}, **given), "like", "other_export"),
]


@pytest.mark.parametrize(("call", "former", "present"), FORMER)
def test_a_former_keyword_is_the_present_one(
    call: Callable[[Any, dict[str, Any]], object], former: str, present: str
) -> None:
    model, wrong = ncnn_opt.load(EXAMPLE), [object()]
    with (
        pytest.warns(DeprecationWarning, match=f"{former} is now {present}") as warned,
        pytest.raises(ncnn_opt.NcnnOptError),
    ):
        call(model, {former: wrong})
    assert warned[0].filename == __file__
    with pytest.raises(ncnn_opt.NcnnOptError, match=f"{former} is the former name of {present}"):
        call(model, {former: wrong, present: wrong})


def test_a_former_keyword_has_its_value() -> None:
    @renamed(old="new")
    def function(first: int, new: int = 0) -> tuple[int, int]:
        return first, new

    call: Any = function
    with pytest.warns(DeprecationWarning, match="function: old is now new"):
        assert call(1, old=2) == (1, 2)
    assert call(1, new=3) == (1, 3)
    with pytest.raises(TypeError, match="other"):
        call(1, other=3)
