"""Values of PyTorch for the cases, in `values.npz`:

    cd tests && python -m differential.pnnx_operators.making

needs PyTorch (the extra `export`).
"""

from pathlib import Path
from typing import Any

import numpy as np
from ncnn_opt.dialects.pnnx.operations import OperatorOp
from ncnn_opt.formats.pnnx_param import read_pnnx_param
from ncnn_opt.frontends.pnnx.importer import import_graph
from ncnn_opt.interpreters.source.pnnx_graph import source_of
from ncnn_opt.interpreters.source.source_steps import SourceModel, import_torch

from .cases import CASES, Array, Case, graph_text, operands, weight
from .graphs import GRAPHS, Graph

FILE = Path(__file__).parent / "values.npz"


def values_of(case: Case, given: list[Array]) -> list[Array]:
    """Return the results of PyTorch."""
    graph = import_graph(read_pnnx_param(graph_text(case, None).encode(), "case"), "case", None)

    def weight_of(op: OperatorOp, key: str) -> Array:
        return given[int(op.layer.data[1:])] if key == "data" else weight(case, key)

    inputs = [x for i, x in enumerate(given) if i not in case.constants]
    return computed(source_of(graph, "case", weight_of), inputs)


def values_of_graph(found: Graph) -> list[Array]:
    """Return the results of PyTorch for a graph."""
    graph = import_graph(read_pnnx_param(found.text().encode(), "graph"), "graph", None)

    def weight_of(op: OperatorOp, key: str) -> Array:
        return np.ascontiguousarray(found.weights[f"{op.layer.data}.{key}"])

    return computed(source_of(graph, "graph", weight_of), list(found.inputs.values()))


def computed(source: SourceModel, inputs: list[Array]) -> list[Array]:
    """Return the outputs of a model of PyTorch."""
    torch = import_torch()
    tensors = [torch.from_numpy(x) for x in inputs]
    env: dict[str, Any] = dict(zip(source.inputs, tensors, strict=True))
    with torch.no_grad():
        for step in source.steps:
            made = step.compute([env[name] for name in step.inputs])
            env.update(zip(step.outputs, made, strict=True))
    return [env[name].numpy() for name in source.outputs]


def main() -> None:
    found: dict[str, Array] = {}
    failed: list[str] = []
    for number, case in enumerate(CASES):
        try:
            values = values_of(case, operands(case))
        except Exception as e:
            failed.append(f"{case.label()}: {str(e).splitlines()[0]}")
            continue
        found |= {f"{number}.{i}": x.astype("f4") for i, x in enumerate(values)}
    for name, graph in GRAPHS.items():
        found |= {f"{name}.{i}": x.astype("f4") for i, x in enumerate(values_of_graph(graph))}
    if failed:
        raise SystemExit("PyTorch refuses\n" + "\n".join(failed))
    np.savez_compressed(FILE, **found)  # pyright: ignore
    print(f"{len(CASES)} cases, {len(GRAPHS)} graphs, {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
