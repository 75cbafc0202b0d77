"""Each form of a convolution computes the reference's results, for each kind of
convolution that can have it: evaluated in NumPy, and one kind for each form as native code
(with `--all-cases` each kind)."""

from collections import Counter
from pathlib import Path

import pytest
from ncnn_opt.conversion.to_linalg.forms import FORMS, costs_of
from ncnn_opt.conversion.to_linalg.processors import DEFAULT, PROCESSORS

from ..layer_cases import Case
from ..semantics import TOLERANCE
from .evaluation import assert_right
from .forms import CONVOLUTIONS, INT8
from .layers import STYLES, fused


def test_each_form_is_executed_for_several_kinds_of_convolutions() -> None:
    counts = Counter(form for _, forms in CONVOLUTIONS.values() for form in forms.split())
    assert set(counts) == {form.name for form in FORMS}
    assert min(counts.values()) > 1


@pytest.mark.parametrize("kind", CONVOLUTIONS)
def test_each_form_computes_the_reference_results(kind: str, tmp_path: Path) -> None:
    line, words = CONVOLUTIONS[kind]
    case = fused(Case.parse(line), tmp_path)
    _, node = case.convolution()
    forms = costs_of(node, PROCESSORS[DEFAULT])
    assert set(forms) == set(words.split())
    assert list(forms.values()) == sorted(forms.values())
    codes = {form: case.lowered(form=form) for form in forms}
    taken, *others = (case.lowered(style) for style in STYLES)
    for code in (*codes.values(), *others):
        assert_right(code)
    if forms:
        cheapest = min(forms, key=lambda form: forms[form])
        assert str(taken.func) == str(codes[cheapest].func)
    else:
        assert_right(taken)


@pytest.mark.parametrize(("kernel", "is_listed"), [("1=8 11=4", True), ("1=11 11=3", False)])
def test_windows_of_up_to_32_places_are_slices(
    kernel: str, is_listed: bool, tmp_path: Path
) -> None:
    case = fused(Case.parse(f"Pooling 4x9x13 | 0=0 {kernel}"), tmp_path)
    code = case.lowered()
    assert_right(code)
    assert ("tensor.extract_slice" in str(code.func)) is is_listed


@pytest.mark.parametrize(
    ("line", "is_one_kernel"),
    [
        ("Convolution 7x18x18 | 0=2 1=3 6=126", True),  # 1,792 elements
        ("Convolution 8x18x18 | 0=2 1=3 6=144", False),  # 2,048 elements
        ("Convolution 9x20x21 | 0=2 1=6 11=5 6=540", False),  # 30 taps
        ("Convolution 9x20x22 | 0=2 1=7 11=5 6=630", True),  # 35 taps
        ("Convolution 4x9x8 | 0=5 1=3 2=1 12=2 6=180", True),
        ("Convolution 4x9x8 | 0=5 1=3 2=2 12=1 6=180", False),
        ("ConvolutionDepthWise 4x9x8 | 0=6 1=3 6=108 7=2", False),
        ("Convolution 4x9x8 | 0=5 1=3 6=180 8=2" + INT8, False),
    ],
)
def test_one_kernel_lays_out_many_or_small_slices(
    line: str, is_one_kernel: bool, tmp_path: Path
) -> None:
    """Of floats without groups, side by side in a row."""
    code = fused(Case.parse(line), tmp_path).lowered(form="columns")
    assert_right(code)
    assert ("math.copysign" in str(code.func)) is is_one_kernel
    assert ("tensor.insert_slice" in str(code.func)) is not is_one_kernel


def test_each_form_as_native_code(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    from .running import errors_of

    chosen = dict[tuple[str, str], Case]()
    for line, forms in CONVOLUTIONS.values():
        for form in forms.split():
            every = request.config.getoption("--all-cases", False)
            chosen.setdefault((form, line if every else ""), Case.parse(line))
    codes = [fused(case, tmp_path).lowered(form=form) for (form, _), case in chosen.items()]
    errors = errors_of(codes)
    wrong = {k: v for k, v in errors.items() if isinstance(v, str) or not v <= TOLERANCE}
    assert not wrong, "\n".join(f"{name}: {error}" for name, error in wrong.items())
