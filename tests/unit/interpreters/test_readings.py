"""The layers that read an input of a model."""

from ncnn_opt.dialects.ncnn.function import inputs_of
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.frontends.param.model_reader import import_param
from ncnn_opt.interpreters.inputs import readings

TWO_BLOBS = """7767517
4 5
AbsVal first 1 1 a y
Input both 0 2 a b
Split copy 1 1 b c
ReLU second 1 1 c z
"""
"""An Input layer of two blobs, behind a layer that reads one of them."""


def test_each_blob_of_an_input_layer_has_its_own_readers() -> None:
    lines: list[str] = [*TWO_BLOBS.splitlines()]
    lines[2], lines[3] = lines[3], lines[2]
    for text in ("\n".join(lines) + "\n", _with_a_layer_first(lines)):
        module, _ = import_param(text.encode(), "m.param", ReadOptions("random"))
        func = model_of(module)
        found = {
            name: [use.operation.name for use in readings(arg)]
            for name, arg in inputs_of(func).items()
            if name in "ab"
        }
        assert found == {"a": ["ncnn.absval"], "b": ["ncnn.relu"]}


def _with_a_layer_first(lines: list[str]) -> str:
    """The same, with the Input layer among the other layers."""
    first = ["Input early 0 1 e", "Swish swish 1 1 e s"]
    return "\n".join([lines[0], "6 7", *first, *lines[2:]]) + "\n"
