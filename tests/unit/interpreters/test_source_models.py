# pyright: basic, reportMissingImports=false
"""PNNX's operators and expressions in PyTorch, and the blobs that are found by their values."""

from typing import Any

import numpy as np
import pytest
from ncnn_opt.interpreters.source.expressions import Call, Operand, parse
from ncnn_opt.interpreters.source.source_steps import StepError
from ncnn_opt.runtime.layerwise.blobs import BlobIndex


def test_expressions_are_parsed() -> None:
    assert parse("@0") == Operand(0)
    assert parse("1.5") == 1.5
    assert parse("add(@0,mul(@1,2))") == Call("add", (Operand(0), Call("mul", (Operand(1), 2))))
    assert parse("[1,size(@0,2),None]") == Call("[", (1, Call("size", (Operand(0), 2)), None))
    for text in ("", "add(@0", "add(@0,)x", "foo", "add(@0 @1)", "(" * 300, "neg(" * 300):
        with pytest.raises(StepError):
            parse(text)


def test_blobs_are_found_by_values() -> None:
    a = np.arange(200, dtype="f4").reshape(2, 100) - 50
    near = a.copy()
    near[1, 7] += 0.04  # 0.0004 of the largest value
    far = a.copy()
    far[1, 8] += 2.0  # not among the sampled elements
    index = BlobIndex({"far": far, "near": near, "same": a, "short": a[0]}, 1e-3)
    assert list(index.find(a.reshape(4, 50))) == ["same", "near"]
    assert list(index.find(a[0])) == ["short"]
    assert index.find(np.zeros(3)) == {}
    holes = a.copy()
    holes[0, 0] = -np.inf
    index = BlobIndex({"holes": holes, "whole": a}, 1e-3)
    assert list(index.find(holes)) == ["holes"]


CASES: list[tuple[str, list[Any], list[str], dict[str, Any], Any]] = [
    ("torch.cat", [[1.0], [2.0]], [], {"dim": 0}, [1.0, 2.0]),
    ("torch.stack", [[1.0], [2.0]], [], {"dim": 1}, [[1.0, 2.0]]),
    ("F.relu", [[-1.0, 2.0]], ["input"], {}, [0.0, 2.0]),
    ("F.pad", [[1.0]], ["input"], {"pad": (1, 0), "mode": "constant", "value": None}, [0.0, 1.0]),
    ("torch.clamp", [[-3.0, 5.0]], ["input"], {"min": 0, "max": 1}, [0.0, 1.0]),
    ("torch.unsqueeze", [[1.0]], ["input"], {"dim": (0, -1)}, [[[1.0]]]),
    ("torch.prod", [[[2.0, 3.0], [4.0, 5.0]]], [], {"dim": (0, 1), "keepdim": False}, 120.0),
    ("torch.einsum", [[1.0, 2.0], [3.0, 4.0]], [], {"equation": "i,i->"}, 11.0),
    ("Tensor.reshape", [[[1.0, 2.0]]], ["input"], {"shape": (0, 2, 1)}, [[[1.0], [2.0]]]),
    ("Tensor.expand", [[[1.0]]], ["input"], {"sizes": (2, 1)}, [[1.0], [1.0]]),
    ("Tensor.repeat", [[1.0]], ["input"], {"sizes": (2,)}, [1.0, 1.0]),
    ("Tensor.permute", [[[1.0, 2.0]]], ["input"], {"dims": (1, 0)}, [[1.0], [2.0]]),
    (
        "Tensor.slice",
        [[[1.0, 2.0, 3.0]]],
        ["input"],
        {"dims": (-1,), "starts": (0,), "ends": (2147483647,), "steps": (2,)},
        [[1.0, 3.0]],
    ),
    (
        "Tensor.slice",
        [[[1.0, 2.0, 3.0]]],
        ["input"],
        {"dim": 1, "select": 1, "start": 0, "end": 1, "step": 1},
        [2.0],
    ),
    ("Tensor.to", [[1.5]], ["input"], {"dtype": "torch.int", "copy": False}, [1]),
    (
        "torch.where",
        [[True, False], [1.0, 1.0]],
        ["condition", "input"],
        {"other": 5.0},
        [1.0, 5.0],
    ),
    ("F.adaptive_avg_pool2d", [[[[1.0, 3.0]]]], [], {"output_size": (0, 1)}, [[[2.0]]]),
    ("aten::clamp_min", [[-1.0, 3.0], 0.5], [], {}, [0.5, 3.0]),
    ("aten::addcmul", [[1.0], [2.0], [3.0], 2], [], {}, [13.0]),
]


@pytest.mark.parametrize(("type_", "inputs", "keys", "params", "expected"), CASES)
def test_functions(
    type_: str, inputs: list[Any], keys: list[str], params: dict[str, Any], expected: Any
) -> None:
    torch = pytest.importorskip("torch", reason="needs PyTorch (the extra export)")
    from ncnn_opt.interpreters.source.operators import call_function

    tensors = [torch.tensor(x) if isinstance(x, list) else x for x in inputs]
    made = call_function(type_, tensors, keys, params)
    assert made.tolist() == expected


@pytest.mark.parametrize(
    "type_",
    [
        "torch.load",
        "torch.save",
        "torch.from_file",
        "aten::from_file",
        "torch.hub.load",
        "torch.compile",
        "torch._C",
        "F.torch.load",
        "F.warnings",
        "nn.Module.cuda",
        "Tensor.__class__",
        "os.system",
        "torch.no_such",
    ],
)
def test_names_that_are_no_functions_of_tensors(type_: str) -> None:
    torch = pytest.importorskip("torch", reason="needs PyTorch (the extra export)")
    from ncnn_opt.interpreters.source.operators import call_function, module

    def compute() -> None:
        if type_.startswith("nn."):
            module(type_, {}, {})
        else:
            call_function(type_, [torch.zeros(1)], [], {})

    with pytest.raises(StepError):
        compute()


def test_modules() -> None:
    torch = pytest.importorskip("torch", reason="needs PyTorch (the extra export)")
    from ncnn_opt.interpreters.source.operators import call_module, module

    weights = {"weight": torch.tensor([[2.0, 3.0]])}
    fc = module("nn.Linear", {"in_features": 2, "out_features": 1, "bias": False}, weights)
    x = torch.tensor([[1.0, 10.0]])
    assert call_module("nn.Linear", fc, [x], [], 1).tolist() == [[32.0]]
    # A module that a model uses twice has its weights as first inputs.
    assert call_module("nn.Linear", fc, [weights["weight"], x], [], 1).tolist() == [[32.0]]
    with pytest.raises(StepError, match="no weight 'weight'"):
        module("nn.Linear", {"in_features": 2, "out_features": 1, "bias": False}, {})
    pool = module("nn.AdaptiveAvgPool2d", {"output_size": (0, 1)}, {})
    assert call_module("nn.AdaptiveAvgPool2d", pool, [torch.ones(1, 1, 3, 4)], [], 1).shape == (
        *(1, 1, 3, 1),
    )
