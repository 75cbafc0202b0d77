"""Why a layer has no native form where extents are not known, in words of the model."""

import pytest
from ncnn_opt.driver.api_pipelines import shapes_in_ir
from ncnn_opt.driver.compile_file import run_passes, set_shapes
from ncnn_opt.driver.environment import make_context
from ncnn_opt.frontends import ReadOptions, frontends
from ncnn_opt.native.errors import NativeError
from ncnn_opt.native.lowering import lower
from ncnn_opt.native.options import CompileOptions

NEEDS_NUMBERS = (
    "its code depends on the extents of its input 3x?x?, which are not all known; "
    "set them with --input-shape"
)

REFUSED = {
    "Interp a 1 1 data b 0=2 3=2 4=3": NEEDS_NUMBERS,
    "Reorg a 1 1 data b 0=2": "a slice may exceed an axis of unknown extent",
    "Crop a 1 1 data b 0=1 1=1 3=-233 4=-233 5=-233": NEEDS_NUMBERS,
    "PriorBox a 1 1 data b -23300=1,10.0": NEEDS_NUMBERS,
    "Diag a 1 1 data b": "3x?x? does not broadcast to 3",
    "GLU a 1 1 data b 0=2": "a slice may exceed an axis of unknown extent",
}


def lowered(layer: str, shape: tuple[int | None, ...]) -> None:
    text = f"7767517\n2 2\nInput data 0 1 data\n{layer}\n"
    options = ReadOptions("random")
    module, _ = frontends()["param"].read(text.encode(), "m.param", options, make_context)
    set_shapes(module, shapes_in_ir({"data": shape}))
    run_passes(module, "m.param")
    lower(module, CompileOptions())


@pytest.mark.parametrize("layer", REFUSED)
def test_extents_that_are_not_known(layer: str) -> None:
    with pytest.raises(NativeError) as caught:
        lowered(layer, (3, None, None))
    _, reason = str(caught.value).split(" has no native form: ")
    assert reason == REFUSED[layer]


@pytest.mark.parametrize("layer", list(REFUSED)[:1] + list(REFUSED)[3:4])
def test_extents_that_are_known(layer: str) -> None:
    lowered(layer, (3, 8, 8))


def test_a_refusal_for_another_reason() -> None:
    """Extents in numbers, which do not fit: the reference's own words."""
    with pytest.raises(NativeError, match=r"the box is empty in a blob of \(3, 7, 8\)"):
        lowered("Crop a 1 1 data b 0=9 1=1 3=4 4=4 5=3", (3, 7, 8))
