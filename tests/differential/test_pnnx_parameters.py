"""Operators of PNNX whose parameters are operands: lists of integers, and numbers. The values are
NumPy's."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.conversion.pnnx_to_ncnn.conversion import Unconverted, convert_graph
from ncnn_opt.dialects.pnnx.operations import OperatorOp
from ncnn_opt.formats.pnnx_param import read_pnnx_param
from ncnn_opt.frontends.pnnx.importer import import_graph
from numpy.typing import NDArray

from .compiler import save
from .runtime import Failure, Runtime

Array = NDArray[Any]


def convert(lines: str, weight: Array = np.array(3)) -> Any:
    """Return the model of a graph. All its weights are `weight`."""
    rows = lines.strip().splitlines()
    text = "\n".join(["7767517", f"{len(rows)} {len(rows)}", *map(str.strip, rows), ""])
    graph = import_graph(read_pnnx_param(text.encode(), "case"), "case", None)

    def weight_of(op: OperatorOp, key: str) -> Array:
        return weight

    module = convert_graph(graph, weight_of)
    module.verify()
    return module


CASES: dict[str, tuple[str, tuple[int, ...], Callable[[Array], Array]]] = {
    "a list with an integer": (
        """pnnx.Input in 0 1 0 #0=(1,2,4)f32
        pnnx.Attribute n 0 1 n @data=()i64
        pnnx.Expression e 1 1 n e expr=[1,int(@0)]
        F.pad p 2 1 0 e 1 mode=constant value=None $input=0 $pad=e #0=(1,2,4)f32 #1=(1,2,8)f32
        pnnx.Output out 1 0 1""",
        (2, 4),
        lambda x: np.pad(x, ((0, 0), (1, 3))),
    ),
    "an integer": (
        """pnnx.Input in 0 1 0 #0=(1,2,4)f32
        pnnx.Attribute n 0 1 n @data=()i64
        pnnx.Expression e 1 1 n e expr=int(@0)
        Tensor.slice s 2 1 0 e 1 dim=2 start=1 step=1 $input=0 $end=e #0=(1,2,4)f32 #1=(1,2,2)f32
        pnnx.Output out 1 0 1""",
        (2, 4),
        lambda x: x[:, 1:3],
    ),
    "indices along two axes": (
        """pnnx.Input in 0 1 0 #0=(1,3,4,2)f32
        Tensor.index i 1 1 0 1 expr=[None,[0,-1,1],[1,3,0]] $input=0 #0=(1,3,4,2)f32 #1=(1,3,2)f32
        pnnx.Output out 1 0 1""",
        (3, 4, 2),
        lambda x: x[[0, -1, 1], [1, 3, 0]],
    ),
    "one index of a list": (
        """pnnx.Input in 0 1 0 #0=(1,3,4,2)f32
        Tensor.index i 1 1 0 1 expr=[None,[2],[1,3,0]] $input=0 #0=(1,3,4,2)f32 #1=(1,3,2)f32
        pnnx.Output out 1 0 1""",
        (3, 4, 2),
        lambda x: x[[2], [1, 3, 0]],
    ),
    "a limit": (
        """pnnx.Input in 0 1 0 #0=(1,3,5)f32
        pnnx.Expression e 0 1 e expr=0.25
        aten::clamp_min c 2 1 0 e 1 #0=(1,3,5)f32 #1=(1,3,5)f32
        pnnx.Output out 1 0 1 #1=(1,3,5)f32""",
        (3, 5),
        lambda x: np.maximum(x, np.float32(0.25)),
    ),
    "limits": (
        """pnnx.Input in 0 1 0 #0=(1,3,5)f32
        pnnx.Attribute n 0 1 n @data=(5)f32 #n=(5)f32
        aten::clamp_max c 2 1 0 n 1 #0=(1,3,5)f32 #n=(5)f32 #1=(1,3,5)f32
        pnnx.Output out 1 0 1 #1=(1,3,5)f32""",
        (3, 5),
        lambda x: np.minimum(x, np.arange(-2, 3, dtype="f4")),
    ),
    "an axis of 1 beside four others": (
        """pnnx.Input in 0 1 0 #0=(1,2,3,4,5)f32
        torch.amax m 1 1 0 1 dim=(0) keepdim=True $input=0 #0=(1,2,3,4,5)f32 #1=(1,2,3,4,5)f32
        pnnx.Output out 1 0 1 #1=(1,2,3,4,5)f32""",
        (2, 3, 4, 5),
        lambda x: x,
    ),
    "a padded axis of an image": (
        """pnnx.Input in 0 1 0 #0=(1,2,3,4)f32
        F.pad p 1 1 0 1 mode=reflect pad=(2,1) $input=0 #0=(1,2,3,4)f32 #1=(1,2,3,7)f32
        F.pad q 1 1 1 2 mode=constant value=-2 pad=(0,0,1,0) $input=1 #2=(1,2,4,7)f32
        pnnx.Output out 1 0 2""",
        (2, 3, 4),
        lambda x: np.pad(
            np.pad(x, ((0, 0), (0, 0), (2, 1)), "reflect"),
            ((0, 0), (1, 0), (0, 0)),
            constant_values=-2,
        ),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_values(name: str, tmp_path: Path, runtime: Runtime) -> None:
    lines, shape, expected = CASES[name]
    weight = np.arange(-2, 3, dtype="f4") if name == "limits" else np.array(3)
    x = np.random.default_rng(0).normal(size=shape, scale=3).astype("f4")
    got = runtime.run(save(convert(lines, weight), tmp_path / "m.param"), {"in0": x}, ["out0"])
    assert not isinstance(got, Failure), got
    wanted = expected(x)
    assert np.array_equal(got["out0"].reshape(wanted.shape), wanted)


@pytest.mark.parametrize(
    ("index", "reason"),
    [
        ("[None,[0],None,[1]]", "are not neighbours"),
        ("[None,[0,1],[0,1,2]]", "have different lengths"),
        ("[None,[0,9],[0,1]]", "an index is out of range"),
    ],
)
def test_indices_without_layers(index: str, reason: str) -> None:
    lines = f"""pnnx.Input in 0 1 0 #0=(1,3,4,2)f32
        Tensor.index i 1 1 0 1 expr={index} $input=0 #0=(1,3,4,2)f32 #1=(1,3,2)f32
        pnnx.Output out 1 0 1"""
    with pytest.raises(Unconverted, match=reason):
        convert(lines)


def test_an_integer_that_is_not_known() -> None:
    lines = """pnnx.Input in 0 1 0 #0=(1,2,4)f32
        pnnx.Input n 0 1 n #n=(1)i64
        pnnx.Expression e 1 1 n e expr=[1,int(@0)]
        F.pad p 2 1 0 e 1 mode=constant value=None $input=0 $pad=e #0=(1,2,4)f32 #1=(1,2,8)f32
        pnnx.Output out 1 0 1"""
    with pytest.raises(Unconverted, match="pnnx.Expression 'e'"):
        convert(lines)


@pytest.mark.parametrize(
    ("dims", "shape", "permutes"),
    [((0, 1, 3, 2), (1, 2, 4, 3), 0), ((0, 2, 3, 1), (1, 3, 4, 2), 1)],
)
def test_a_transposed_factor(
    dims: tuple[int, ...],
    shape: tuple[int, ...],
    permutes: int,
    tmp_path: Path,
    runtime: Runtime,
) -> None:
    words = [",".join(map(str, each)) for each in (dims, shape)]
    x = np.random.default_rng(0).normal(size=(1, 2, 3, 4)).astype("f4")
    turned = x.transpose(dims)
    left = np.random.default_rng(1).normal(size=(1, shape[1], 5, shape[2])).astype("f4")
    result = left @ turned
    sizes = [",".join(map(str, each.shape)) for each in (left, result)]
    lines = f"""pnnx.Input in 0 1 0 #0=(1,2,3,4)f32
        pnnx.Input other 0 1 1 #1=({sizes[0]})f32
        Tensor.permute p 1 1 0 2 dims=({words[0]}) $input=0 #0=(1,2,3,4)f32 #2=({words[1]})f32
        torch.matmul m 2 1 1 2 3 $input=1 $other=2 #1=({sizes[0]})f32 #2=({words[1]})f32 #3=({sizes[1]})f32
        pnnx.Output out 1 0 3"""  # noqa: E501
    param = save(convert(lines), tmp_path / "m.param")
    assert param.read_text().count("Permute") == permutes
    got = runtime.run(param, {"in0": x[0], "in1": left[0]}, ["out0"])
    assert not isinstance(got, Failure), got
    assert np.allclose(got["out0"].reshape(result.shape), result, atol=1e-5)
