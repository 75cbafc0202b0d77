"""Values of PyTorch for the cases, in `values.npz`:

    cd tests && python -m differential.pnnx_operators.making

needs PyTorch (the extra `export`).
"""

from pathlib import Path
from typing import Any

import numpy as np
from ncnn_opt.dialects.pnnx.operations import OperatorOp
from ncnn_opt.formats.pnnx_param import read_pnnx_param
from ncnn_opt.frontends.pnnx.importing import import_graph
from ncnn_opt.interpreters.source.pnnx_graph import source_of
from ncnn_opt.interpreters.source.steps import import_torch

from .cases import CASES, Array, Case, graph_text, operands, weight

FILE = Path(__file__).parent / "values.npz"


def values_of(case: Case, given: list[Array]) -> list[Array]:
    """Return the results of PyTorch."""
    torch = import_torch()
    graph = import_graph(read_pnnx_param(graph_text(case, None).encode(), "case"), "case", None)

    def weight_of(op: OperatorOp, key: str) -> Array:
        return given[int(op.layer.data[1:])] if key == "data" else weight(case, key)

    source = source_of(graph, "case", weight_of)
    tensors = [torch.from_numpy(x) for i, x in enumerate(given) if i not in case.constants]
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
    if failed:
        raise SystemExit("PyTorch refuses\n" + "\n".join(failed))
    np.savez_compressed(FILE, **found)  # pyright: ignore
    print(f"{len(CASES)} cases, {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
