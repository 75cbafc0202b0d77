"""What layers cost: against numbers computed by hand from what a layer computes and moves, and the
rates of the tables, which are these:

         operation  byte  operation  byte   layer
         in vectors       in C++
    x86  1, 4       1     25         1.5    35,000
    arm  1, 6       0.5   25         1.5     5,000
"""

from collections.abc import Callable

import pytest
from ncnn_opt.analysis.profitability import cost, is_profitable
from ncnn_opt.analysis.target_info import ARM, X86
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.frontends.param.model_reader import import_param
from xdsl.dialects.builtin import ModuleOp, StringAttr

Layers = Callable[..., list[LayerOp]]


def module_of(*lines: str) -> ModuleOp:
    names = {word for line in lines for word in _blobs(line)}
    text = "\n".join(["7767517", f"{len(lines)} {len(names)}", *lines]) + "\n"
    module, _ = import_param(text.encode(), "it.param", ReadOptions("none"))
    return module


def _blobs(line: str) -> list[str]:
    words = line.split()
    return words[4 : 4 + int(words[2]) + int(words[3])]


def layers_of(module: ModuleOp) -> list[LayerOp]:
    return [op for op in module.walk() if isinstance(op, LayerOp) and op.layer_name is not None]


def layers(*lines: str) -> list[LayerOp]:
    """The layers of a model, those of weights and inputs left out."""
    return layers_of(module_of(*lines))


IMAGE = "Input x 0 1 x 0=10 1=10 2=4"


def test_a_layer_in_vectors() -> None:
    """8 x 8 x 8 outputs of 4 x 3 x 3 products; 400 floats in, 512 out, 288 weights. The input comes
    unpacked, and on arm in float32; all else there is in float16."""
    (conv,) = layers(IMAGE, "Convolution conv 1 1 x y 0=8 1=3 6=288")
    assert cost(conv, X86) == 35_000 + 18_432 + (1_600 + 2_048 + 1_152) + 2 * 1_600
    assert cost(conv, ARM) == 5_000 + 18_432 + 0.5 * (800 + 1_024 + 576) + 0.5 * 2 * 800


def test_a_layer_in_plain_code_unpacks() -> None:
    relu, permute = layers(IMAGE, "ReLU relu 1 1 x y", "Permute permute 1 1 y z 0=3")
    assert cost(relu, X86) == 35_000 + 4 * 400 + 3_200 + 3_200
    assert cost(permute, X86) == 35_000 + 1.5 * 3_200 + 3_200
    assert cost(permute, ARM) == 5_000 + 1.5 * 3_200 + 0.5 * 3_200


def test_what_comes_as_it_is_taken_is_not_converted() -> None:
    permute, again = layers(IMAGE, "Permute p 1 1 x y 0=3", "Permute q 1 1 y z 0=4")
    assert cost(permute, X86) == cost(again, X86) == 35_000 + 1.5 * 3_200
    first, second = layers(IMAGE, "ReLU a 1 1 x y", "Sigmoid b 1 1 y z")
    assert cost(second, X86) == 35_000 + 4 * 4 * 400 + 3_200
    assert cost(second, ARM) == 5_000 + 6 * 4 * 400 + 0.5 * 1_600
    assert first.other_flops() == 400


def test_channels_that_are_not_kept_together() -> None:
    """5 channels are neither packed nor unpacked, but on arm become float16."""
    image = "Input x 0 1 x 0=10 1=10 2=5"
    (relu,) = layers(image, "ReLU relu 1 1 x y")
    assert cost(relu, X86) == 35_000 + 4 * 500 + 4_000
    assert cost(relu, ARM) == 5_000 + 6 * 500 + 0.5 * 2_000 + 0.5 * 2_000
    wide, narrow = (
        layers(
            f"Input x 0 1 x 0=4 1=4 2={n}", f"ConvolutionDepthWise d 1 1 x y 0={n} 1=1 6={n} 7={n}"
        )
        for n in (4, 5)
    )
    assert cost(wide[0], X86) == 35_000 + 64 + (256 + 256 + 16) + 512
    assert cost(narrow[0], X86) == 35_000 + 25 * 80 + 1.5 * (320 + 320 + 20)


def test_weights_that_x86_keeps_as_float16() -> None:
    (fc,) = layers("Input x 0 1 x 0=8", "InnerProduct fc 1 1 x y 0=4 2=32")
    assert cost(fc, X86) == 35_000 + 32 + (32 + 16 + 64) + 2 * 32


def test_what_hands_on() -> None:
    split = layers(IMAGE, "Split s 1 2 x y z", "ReLU a 1 1 y v", "Sigmoid b 1 1 z w")[0]
    assert split.LAYER_TYPE == "Split"
    assert cost(split, X86) == 35_000
    assert cost(split, ARM) == 5_000


@pytest.mark.parametrize("shape", ["", " 0=10 1=10 2=-1"])
def test_unknown_shapes_have_no_cost(shape: str) -> None:
    (conv,) = layers(f"Input x 0 1 x{shape}", "Convolution conv 1 1 x y 0=8 1=3 6=288")
    assert cost(conv, X86) is None
    assert cost(conv, ARM) is None


BEFORE = ("Input x 0 1 x 0=500 1=64", "Deconvolution1D d 1 1 x y 0=64 1=4 3=1 6=16384")
AFTER = (
    BEFORE[0],
    "Reshape r 1 1 x a 0=500 1=1 2=64",
    "Deconvolution d 1 1 a b 0=64 1=4 11=1 3=1 13=1 6=16384",
    "Reshape s 1 1 b y 0=-1 1=64",
)


@pytest.mark.parametrize("tune", [None, "x86", "arm"])
def test_what_is_faster_pays(tune: str | None) -> None:
    """It is so by far: the tables have it measured."""
    old, new = module_of(*BEFORE), module_of(*AFTER)
    for module in (old, new):
        if tune is not None:
            module.attributes["ncnn.tune"] = StringAttr(tune)
    assert is_profitable(layers_of(old), layers_of(new))
    assert not is_profitable(layers_of(new), layers_of(old))
    assert not is_profitable(layers_of(old), layers_of(old))


def test_what_is_not_known_does_not_pay() -> None:
    unknown = layers("Input x 0 1 x", "ReLU a 1 1 x y")
    known = layers(IMAGE, "ReLU a 1 1 x y")
    assert not is_profitable(unknown, known)
    assert not is_profitable(known, unknown)


@pytest.mark.parametrize(
    ("tune", "expected"), [(None, False), ("x86", False), ("arm", True), ("none", True)]
)
def test_it_has_to_pay_on_all_that_are_asked(tune: str | None, expected: bool) -> None:
    """arm has no code for the vectors of a DeformableConv2D, so that a Convolution of many more
    products takes less time there; with none to ask it may be anything."""
    inputs = ("Input x 0 1 x 0=20 1=20 2=8", "Input o 0 1 o 0=18 1=18 2=18")
    old = module_of(*inputs, "DeformableConv2D d 2 1 x o y 0=8 1=3 6=576")
    new = layers(inputs[0], "Convolution c 1 1 x y 0=64 1=3 6=4608")
    if tune is not None:
        old.attributes["ncnn.tune"] = StringAttr(tune)
    assert is_profitable(layers_of(old), new) is expected
