"""Pads of all modes at the fused level against the runtime: odd ones before or after, all ranks."""

from itertools import product
from pathlib import Path

import pytest
from ncnn_opt.dialects.fused import FusedOp

from .fused_models import check
from .nets import Net, Number
from .runtime import Runtime

SUFFIX = {1: "1D", 2: "", 3: "3D"}
EXTENTS = (5, 6, 7)
KERNELS = {1: (2,), 2: (3, 2), 3: (2, 3, 2)}
KERNEL_IDS = {1: (1,), 2: (11, 1), 3: (21, 11, 1)}
OUTPUT_IDS = {1: (20,), 2: (21, 20), 3: (27, 26, 25)}
UPPER, LOWER = -233, -234


def one_operation(net: Net, folder: Path, runtime: Runtime) -> FusedOp:
    result = check(net, net.write(folder), runtime)
    assert result is not None, "the runtime gives no numbers"
    assert not result.left, result.remarks
    (op,) = result.fused
    return op


@pytest.mark.parametrize("stride", [1, 2])
@pytest.mark.parametrize("mode", [UPPER, LOWER])
@pytest.mark.parametrize("rank", SUFFIX)
def test_convolution(rank: int, mode: int, stride: int, runtime: Runtime, tmp_path: Path) -> None:
    net, kernel = Net(), KERNELS[rank]
    weight = net.normal(3, 2, *kernel)
    net.tagged(weight)
    params: dict[int, Number] = {0: 3, 3: stride, 4: mode, 6: weight.size, 18: 0.5}
    params |= dict(zip(KERNEL_IDS[rank], kernel, strict=True))
    x = net.input("x", (2, *EXTENTS[-rank:]))
    net.layer(f"Convolution{SUFFIX[rank]}", x, "y", params)
    assert one_operation(net, tmp_path, runtime).name == "fused.conv"


@pytest.mark.parametrize("less", [0, 1, 2])
@pytest.mark.parametrize("mode", [UPPER, LOWER])
@pytest.mark.parametrize("rank", SUFFIX)
def test_deconvolution(rank: int, mode: int, less: int, runtime: Runtime, tmp_path: Path) -> None:
    net, kernel, extents = Net(), KERNELS[rank], EXTENTS[-rank:]
    weight = net.normal(3, 2, *kernel)
    net.tagged(weight)
    wanted = [(n - 1) * 2 + k - less for n, k in zip(extents, kernel, strict=True)]
    params: dict[int, Number] = {0: 3, 3: 2, 4: mode, 6: weight.size}
    params |= dict(zip(KERNEL_IDS[rank], kernel, strict=True))
    params |= dict(zip(OUTPUT_IDS[rank], wanted, strict=True))
    net.layer(f"Deconvolution{SUFFIX[rank]}", net.input("x", (2, *extents)), "y", params)
    assert one_operation(net, tmp_path, runtime).name == "fused.conv_transpose"


@pytest.mark.parametrize(("kind", "counted"), [(0, 0), (1, 0), (1, 1)])
@pytest.mark.parametrize("mode", range(4))
@pytest.mark.parametrize("rank", SUFFIX)
def test_pooling(
    rank: int, mode: int, kind: int, counted: int, runtime: Runtime, tmp_path: Path
) -> None:
    pad = int(mode < 2)
    for stride, again in product((1, 2), (0, pad)):
        if (mode, kind, counted, stride, again) == (0, 1, 0, 2, 1):
            continue  # The last window is of pads alone, which average to 0 / 0 in the runtime.
        net = Net()
        params: dict[int, Number] = {0: kind, 2: stride, 3: again, 5: mode, 6: counted}
        params |= dict(zip(KERNEL_IDS[rank], KERNELS[rank], strict=True))
        x = net.input("x", (2, *EXTENTS[-rank:]))
        net.layer(f"Pooling{SUFFIX[rank]}", x, "y", params)
        assert one_operation(net, tmp_path, runtime).name == "fused.pool"


@pytest.mark.parametrize("kind", [0, 1])
@pytest.mark.parametrize("rank", SUFFIX)
def test_adaptive_and_global_pooling(
    rank: int, kind: int, runtime: Runtime, tmp_path: Path
) -> None:
    ids = {1: (8,), 2: (18, 8), 3: (28, 18, 8)}[rank]
    adaptive: dict[int, Number] = {7: 1, **dict(zip(ids, (3, 4, 2)[-rank:], strict=True))}
    for params in ({4: 1}, adaptive):
        net = Net()
        x = net.input("x", (2, *EXTENTS[-rank:]))
        net.layer(f"Pooling{SUFFIX[rank]}", x, "y", {0: kind, **params})
        assert one_operation(net, tmp_path, runtime).name == "fused.pool"
