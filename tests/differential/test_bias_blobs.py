"""Layers whose weights are blobs, with a bias in the parameters and no blob for it: the runtime
reads beyond its inputs, so they are refused. Each near miss runs in the runtime."""

import subprocess
import sys
from pathlib import Path

import pytest
from ncnn_opt.driver.file_audit import audit_file
from ncnn_opt.frontends import ReadOptions

LAYERS = {
    "Convolution": ((2, 1, 1), (2, 2, 1, 1), "6=4", 19),
    "ConvolutionDepthWise": ((2, 1, 1), (2, 1, 1, 1), "6=2 7=2", 19),
    "Convolution1D": ((2, 4), (2, 2, 1), "6=4", 19),
    "ConvolutionDepthWise1D": ((2, 4), (2, 1, 1), "6=2 7=2", 19),
    "Deconvolution": ((2, 1, 1), (2, 2, 1, 1), "6=4", 28),
    "DeconvolutionDepthWise": ((2, 1, 1), (2, 1, 1, 1), "6=2 7=2", 28),
    "Deconvolution1D": ((2, 4), (2, 2, 1), "6=4", 28),
    "DeconvolutionDepthWise1D": ((2, 4), (2, 1, 1), "6=2 7=2", 28),
}
"""The shapes of blob and weight, further parameters, and the parameter `dynamic_weight`."""

RUN = """
import sys
import ncnn, numpy as np
net = ncnn.Net()
assert not net.load_param(sys.argv[1])
extractor = net.create_extractor()
for each in sys.argv[2:]:
    name, extents = each.split("=")
    values = np.ones(tuple(map(int, extents.split(","))), "f4")
    extractor.input(name, ncnn.Mat(values).clone())
status, out = extractor.extract("y")
assert not status and not out.empty()
"""


def hints(shape: tuple[int, ...]) -> str:
    ids = {1: (0,), 2: (1, 0), 3: (2, 1, 0), 4: (2, 11, 1, 0)}[len(shape)]
    return " ".join(f"{i}={n}" for i, n in zip(ids, shape, strict=True))


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize(("bias", "blob"), [(1, False), (1, True), (0, False)])
def test_a_bias_is_a_blob_beside_a_weight_that_is_one(
    layer: str, bias: int, blob: bool, tmp_path: Path
) -> None:
    x, w, params, dynamic = LAYERS[layer]
    blobs = {"x": x, "w": w, **({"b": (2,)} if blob else {})}
    lines = [f"Input {name} 0 1 {name} {hints(shape)}" for name, shape in blobs.items()]
    given = f"{len(blobs)} 1 {' '.join(blobs)} y"
    lines.append(f"{layer} y {given} 0=2 1=1 {params} {dynamic}=1 5={bias}")
    path = tmp_path / "m.param"
    text = "\n".join(["7767517", f"{len(lines)} {len(lines)}", *lines])
    path.write_text(f"{text}\n")
    found = [each.problem for each in audit_file(str(path), ReadOptions("none")).findings]
    if bias and not blob:
        (problem,) = found
        assert "bias_term is 1, but there is no bias blob" in problem
        return
    assert found == []
    inputs = [f"{name}={','.join(map(str, shape))}" for name, shape in blobs.items()]
    subprocess.run([sys.executable, "-c", RUN, str(path), *inputs], check=True)
