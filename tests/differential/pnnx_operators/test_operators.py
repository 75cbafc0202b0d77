"""Each operator of PNNX, converted by itself, has PyTorch's values in the ncnn runtime."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.conversion.pnnx_to_ncnn.conversion import convert_graph
from ncnn_opt.conversion.pnnx_to_ncnn.lowering import natural
from ncnn_opt.dialects.pnnx.operations import OperatorOp
from ncnn_opt.formats.pnnx_param import read_pnnx_param
from ncnn_opt.frontends.pnnx.importer import import_graph

from ..compiler import save
from ..runtime import Failure, Runtime
from .cases import CASES, Array, Case, case, graph_text, operands, weight
from .graphs import GRAPHS
from .making import FILE

TOLERANCE = 2e-5
"""The largest error, relative to the largest value."""
TYPES = sorted({case.type for case in CASES})


@pytest.fixture(scope="module")
def stored() -> Mapping[str, Array]:
    with np.load(FILE) as found:
        return dict(found)


def difference(
    number: int, case: Case, stored: Mapping[str, Array], folder: Path, runtime: Runtime
) -> str | None:
    """Return the way in which the layers of a case differ from PyTorch, if they do."""
    wanted = [stored[f"{number}.{i}"] for i in range(case.outputs)]
    given = operands(case)
    text = graph_text(case, [y.shape for y in wanted])
    graph = import_graph(read_pnnx_param(text.encode(), "case"), "case", None)

    def weight_of(op: OperatorOp, key: str) -> Array:
        return given[int(op.layer.data[1:])] if key == "data" else weight(case, key)

    module = convert_graph(graph, weight_of)
    module.verify()
    param = save(module, folder / f"{number}.param")
    inputs: dict[str, Array] = {}
    for i, x in enumerate(x for i, x in enumerate(given) if i not in case.constants):
        blob = x.reshape(natural(x.shape))
        inputs[f"in{i}"] = blob.astype("i4") if blob.dtype == np.int64 else blob
    names = [f"out{i}" for i in range(case.outputs)]
    got = runtime.run(param, inputs, names)
    if isinstance(got, Failure):
        return f"{case.label()}: {got.reason}"
    for name, y in zip(names, wanted, strict=True):
        found = got[name]
        if found.size != y.size:
            return f"{case.label()}: {found.shape} for {y.shape}"
        error = np.abs(found.reshape(y.shape) - y).max() / max(np.abs(y).max(), 1e-6)
        if not error <= TOLERANCE:
            return f"{case.label()}: error {error:.2g}"
    return None


@pytest.mark.parametrize("type_", TYPES)
def test_an_operator_has_the_values_of_pytorch(
    type_: str, stored: Mapping[str, Array], tmp_path: Path, runtime: Runtime
) -> None:
    found = [
        difference(number, case, stored, tmp_path, runtime)
        for number, case in enumerate(CASES)
        if case.type == type_
    ]
    assert [reason for reason in found if reason is not None] == []


@pytest.mark.parametrize("rank", [1, 2, 3])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize(
    ("module", "function"), [("nn.Conv", "F.conv"), ("nn.ConvTranspose", "F.conv_transpose")]
)
def test_a_convolution_by_operands_is_that_of_the_module(
    module: str, function: str, bias: bool, rank: int, tmp_path: Path, runtime: Runtime
) -> None:
    shape = (1, 4, *(7, 8, 6)[:rank])
    params: dict[str, Any] = {"stride": (1,) * rank, "groups": 1}
    shapes = [(4, 4, *(3, 2, 3)[:rank]), *([(4,)] if bias else [])]
    names = ["weight", *(["bias"] if bias else [])]
    outside = tuple(
        n + k - 1 if "Tr" in module else n - k + 1 for n, k in zip((7, 8, 6), (3, 2, 3))
    )
    result = (1, 4, *outside[:rank])
    rng = np.random.default_rng(0)
    values = [rng.standard_normal(each).astype("f4") for each in shapes]
    x = rng.standard_normal(shape).astype("f4")
    found: list[Array] = []
    for one in (
        case(f"{module}{rank}d", shape, weights=dict(zip(names, shapes)), **params, bias=bias),
        case(
            f"{function}{rank}d",
            shape,
            *shapes,
            constants=(1, 2)[: len(shapes)],
            keys=("input", *names),
            **params,
        ),
    ):
        text = graph_text(one, [result])
        graph = import_graph(read_pnnx_param(text.encode(), "case"), "case", None)

        def weight_of(op: OperatorOp, key: str) -> Array:
            place = int(op.layer.data[1:]) - 1 if key == "data" else names.index(key)
            return values[place]

        param = save(convert_graph(graph, weight_of), tmp_path / "m.param")
        got = runtime.run(param, {"in0": x.reshape(natural(shape))}, ["out0"])
        assert not isinstance(got, Failure), got
        found.append(got["out0"])
    assert found[0].size == np.prod(result)
    np.testing.assert_allclose(found[0], found[1], atol=1e-6)
    assert np.abs(found[0]).max() > 0.1


@pytest.mark.parametrize("name", GRAPHS)
def test_a_graph_has_the_values_of_pytorch(
    name: str, stored: Mapping[str, Array], tmp_path: Path, runtime: Runtime
) -> None:
    given = GRAPHS[name]
    graph = import_graph(read_pnnx_param(given.text().encode(), name), name, None)

    def weight_of(op: OperatorOp, key: str) -> Array:
        return given.weights[f"{op.layer.data}.{key}"]

    module = convert_graph(graph, weight_of)
    module.verify()
    inputs = {
        blob: x.reshape(natural(x.shape)).astype("i4" if x.dtype == np.int64 else "f4")
        for blob, x in given.inputs.items()
    }
    got = runtime.run(save(module, tmp_path / "graph.param"), inputs, ["out0"])
    assert not isinstance(got, Failure), got
    wanted = stored[f"{name}.0"]
    assert np.allclose(got["out0"].reshape(wanted.shape), wanted, atol=1e-5)
