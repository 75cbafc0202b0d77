"""Windows of PNNX convolutions that differ in height and width, compared with NumPy."""

from pathlib import Path

import numpy as np
import pytest

from .expressions_of_pnnx import Shape, function, operator, run
from .runtime import Array, Runtime


def convolved(
    x: Array, weight: Array, stride: Shape, padding: Shape, dilation: Shape, groups: int
) -> Array:
    """A convolution of one image, a tap at a time."""
    padded = np.pad(x, [(0, 0), *((p, p) for p in padding)])
    kernel = weight.shape[2:]
    extents = [
        (n - step * (k - 1) - 1) // s + 1
        for n, k, step, s in zip(padded.shape[1:], kernel, dilation, stride, strict=True)
    ]
    out = np.zeros((weight.shape[0], *extents))
    inputs, outputs = x.shape[0] // groups, weight.shape[0] // groups
    for i in range(kernel[0]):
        for j in range(kernel[1]):
            rows = slice(i * dilation[0], i * dilation[0] + extents[0] * stride[0], stride[0])
            columns = slice(j * dilation[1], j * dilation[1] + extents[1] * stride[1], stride[1])
            part = padded[:, rows, columns]
            for g in range(groups):
                own = slice(g * outputs, (g + 1) * outputs)
                taken = part[g * inputs : (g + 1) * inputs]
                out[own] += np.einsum("oi,ihw->ohw", weight[own, :, i, j], taken)
    return out.astype("f4")


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize(
    ("stride", "padding", "dilation"),
    [((1, 1), (0, 2), (1, 1)), ((2, 1), (2, 0), (1, 1)), ((1, 2), (1, 2), (2, 1))],
)
def test_windows_that_differ_in_height_and_width(
    stride: Shape,
    padding: Shape,
    dilation: Shape,
    groups: int,
    runtime: Runtime,
    tmp_path: Path,
) -> None:
    rng = np.random.default_rng(groups)
    x = rng.normal(size=(1, 4, 9, 8)).astype("f4")
    weight = rng.normal(size=(6, 4 // groups, 3, 2)).astype("f4")
    want = convolved(x[0], weight, stride, padding, dilation, groups)
    params = ", ".join(
        f"{key} = array<i32: {a}, {b}>"
        for key, (a, b) in (("stride", stride), ("padding", padding), ("dilation", dilation))
    )
    params += f", groups = {groups} : i32"
    out = (1, *want.shape)
    shapes = [x.shape, weight.shape]
    line = operator("%v", "F.conv2d", params, ["%a0", "%a1"], shapes, out)
    line = line.replace("}} :", '}, keys = ["input", "weight"]} :')
    got = run(function(shapes, [line], "%v", out), [x, weight], runtime, tmp_path)
    assert np.allclose(got.reshape(want.shape), want, rtol=1e-4, atol=1e-5)
