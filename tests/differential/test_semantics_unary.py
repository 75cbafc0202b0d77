"""What the layers of `dialects/ncnn/unary.py` compute, against the runtime."""

from pathlib import Path

import pytest
from ncnn_opt.dialects.ncnn import unary

from .layer_cases import Case
from .runtime import Runtime
from .semantics import cases_of, compare


@pytest.mark.parametrize("case", cases_of(unary), ids=str)
def test_layer_computes_what_the_runtime_computes(
    case: Case, runtime: Runtime, tmp_path: Path
) -> None:
    compare(case, runtime, tmp_path)
