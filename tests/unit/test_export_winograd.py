"""`export` excludes Winograd's algorithm only if the outputs agree then."""

from pathlib import Path
from typing import Any

import pytest
from ncnn_opt.dialects.ncnn.convolution import ConvolutionOp
from ncnn_opt.dialects.ncnn.lookup import layers_of, model_of
from ncnn_opt.driver import pytorch_export
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.runtime.layerwise.comparison import SourceAgreement
from xdsl.dialects.builtin import ModuleOp

PARAM = """7767517
3 3
Input in0 0 1 in0 0=8 1=8 2=1
Convolution a 1 1 in0 b 0=1 1=3 6=9
Convolution c 1 1 b out0 0=1 1=3 6=9 31=1
"""


class Reference:
    """A comparison that is good without Winograd's algorithm, or never."""

    def __init__(self, helps: bool) -> None:
        self.helps = helps

    def problem_in_runtime(self, module: ModuleOp, path: str, tolerance: float) -> str:
        good = self.helps and all(mask & 64 for mask in masks(module))
        return "" if good else "output 'out0' differs"


def masks(module: ModuleOp) -> list[int]:
    return [op.featmask for op in layers_of(model_of(module)) if isinstance(op, ConvolutionOp)]


@pytest.mark.parametrize("helps", [True, False])
def test_masks(helps: bool, tmp_path: Path) -> None:
    (tmp_path / "m.param").write_text(PARAM)
    module = read_model(str(tmp_path / "m.param"), ReadOptions(weights="random")).module
    found = pytorch_export._Attempt("traced", problem="output 'out0' differs")  # pyright: ignore
    found.agreement = SourceAgreement("m", "s", 1e-3)
    reference: Any = Reference(helps)
    pytorch_export._exclude_winograd(found, module, "m", reference)  # pyright: ignore
    assert masks(module) == ([64, 65] if helps else [0, 1])
    assert found.problem == ("" if helps else "output 'out0' differs")
    assert [step for step in found.steps if "Winograd" in step] == found.steps
    assert len(found.steps) == helps
