"""What is suggested for a word that does not exist."""

import pytest
from ncnn_opt.dialects.xdsl_extras.spelling import nearest, nearest_or_all

KNOWN = ["--fuse-conv-bn", "--fuse-conv-mul", "--weights", "--output-dir", "--output-file", "--cse"]


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("--fuse-conv-nb", "'--fuse-conv-bn'"),
        ("--fuse_conv_bn", "'--fuse-conv-bn'"),
        ("--wieghts", "'--weights'"),
        ("--output", "'--output-dir' or '--output-file'"),
        ("--mul", "'--fuse-conv-mul'"),
    ],
)
def test_what_is_meant(word: str, meant: str) -> None:
    assert nearest(word, KNOWN) == f"; did you mean {meant}?"


@pytest.mark.parametrize("word", ["--fuse-conv-relu", "--json", "--o", "--", "", "--fuse-all"])
def test_no_suggestion_is_better_than_a_wrong_one(word: str) -> None:
    assert nearest(word, KNOWN) == ""


def test_too_many_are_none() -> None:
    assert nearest("conv9", ["conv1", "conv2", "conv3"]) != ""
    assert nearest("conv9", ["conv1", "conv2", "conv3", "conv4"]) == ""


def test_what_is_rarely_meant_is_named_for_slips_only() -> None:
    assert nearest("--shape", ["--cse"], ["--shape-inference"]) == ""
    assert nearest("--shape-inferenec", ["--cse"], ["--shape-inference"]) != ""


def test_all_are_named_without_a_suggestion() -> None:
    assert nearest_or_all("dta", ["data", "mask"], "inputs") == "; did you mean 'data'?"
    assert nearest_or_all("x", ["data", "mask"], "inputs") == "; the inputs are 'data', 'mask'"
    six = "'in0', 'in1', 'in2', 'in3', 'in4', 'in5'"
    names = [f"in{i}" for i in range(8)]
    assert nearest_or_all("nothing", names[:6], "outputs") == f"; the outputs are {six}"
    assert nearest_or_all("nothing", names, "inputs") == f"; the inputs are {six} and 2 more"
    assert nearest_or_all("nothing", [], "inputs") == ""
