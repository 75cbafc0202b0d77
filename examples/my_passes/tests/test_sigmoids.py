"""The pass, on a model and where it has nothing to do."""

from pathlib import Path

import ncnn_opt

MODEL = """7767517
3 3
Input x 0 1 x 0=4
{layer} act 1 1 x y
ReLU last 1 1 y z
"""


def optimized(folder: Path, layer: str, passes: str) -> tuple[list[str], ncnn_opt.Layer]:
    """What was done to a model with such a layer, and what became of this."""
    (folder / "it.param").write_text(MODEL.format(layer=layer))
    (folder / "it.bin").touch()
    model = ncnn_opt.load(folder / "it.param")
    remarks = ncnn_opt.optimize(model, passes)
    return [str(remark) for remark in remarks], model.layers[1]


def test_a_sigmoid(tmp_path: Path) -> None:
    remarks, layer = optimized(tmp_path, "Sigmoid", "replace-sigmoid-with-hardsigmoid{slope=0.25}")
    assert remarks == ["replace-sigmoid-with-hardsigmoid: Sigmoid 'act'"]
    assert (layer.type, layer.name, layer.outputs) == ("HardSigmoid", "act", ("y",))
    assert layer.params["alpha"] == 0.25


def test_another_layer(tmp_path: Path) -> None:
    remarks, layer = optimized(tmp_path, "TanH", "replace-sigmoid-with-hardsigmoid")
    assert remarks == []
    assert layer.type == "TanH"
