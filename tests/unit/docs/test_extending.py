"""A new activation layer is one class with its formula, and its name in the registry."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
FOLDERS = {path.parent.name for path in ROOT.glob("[a-z]*/__init__.py")} - {"benchmarks"}

SOFTSIGN = '''

@layer
class SoftsignOp(Function):
    """`y = x / (1 + |x|)`.

    Shapes: any of 1 to 4 dims -> the same.
    Parameters: scale.
    """

    scale = float_param(0, default=1.0)

    def formula(self, x: Term) -> Term:
        return x * self.scale / (absolute(x) + 1.0)
'''

MODEL = """7767517
3 3
Input x 0 1 x 0=4
Softsign sign 1 1 x y 0=2.5
AbsVal abs 1 1 y z
"""

SCRIPT = """
import numpy as np
from ncnn_opt import load, optimize, save
from ncnn_opt.dialects.ncnn.formulas import Arg
from ncnn_opt.dialects.ncnn.ranges import Range, range_of
from ncnn_opt.dialects.shapes.analysis import Shapes
from ncnn_opt.interpreters.ncnn.semantics import evaluate
from ncnn_opt.transforms.canonicalization.recognition.layer_formulas import formula_of

model = load("m.param", weights="none")
(op,) = [op for op in model.module.walk() if op.name == "ncnn.softsign"]
x = np.array([-2, 0, 0.5, 8], "f4")
(y,) = evaluate(op, [x])
assert np.allclose(y, 2.5 * x / (1 + np.abs(x)), rtol=1e-6), y
assert formula_of(op, Shapes()) is not None
assert range_of(op.formula(Arg(0)), [Range(0.0, 1.0)]).low == 0
optimize(model, ["convert-ncnn-to-fused"])
assert not any(op.name == "ncnn.softsign" for op in model.module.walk())
optimize(model, ["convert-fused-to-ncnn"])
save(model, "n.param")
print(open("n.param").read())
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The project with one class more."""
    shutil.copytree(ROOT / "dialects", tmp_path / "dialects")
    shutil.copytree(ROOT / "ncnn_opt", tmp_path / "ncnn_opt")
    for name in FOLDERS - {"dialects", "ncnn_opt"}:
        (tmp_path / name).symlink_to(ROOT / name)
    family = tmp_path / "dialects" / "ncnn" / "activation.py"
    family.write_text(family.read_text() + SOFTSIGN)
    registry = tmp_path / "dialects" / "ncnn" / "__init__.py"
    text = registry.read_text()
    row = '    "RotaryEmbed": "attention",\n'
    assert row in text
    registry.write_text(text.replace(row, row + '    "Softsign": "activation",\n'))
    return tmp_path


def test_one_class_is_all(project: Path) -> None:
    (project / "m.param").write_text(MODEL)
    environment = {**os.environ, "PYTHONPATH": str(project)}
    result = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert result.returncode == 0, result.stderr
    assert re.search(r"^Softsign +\w+ +1 1 x \w+ 0=2.500000e\+00$", result.stdout, re.MULTILINE)


@pytest.mark.parametrize("layer", ["CELU", "SELU", "ELU", "Shrink", "Threshold", "Softplus"])
def test_nothing_else_knows_the_layers_that_are_there(layer: str) -> None:
    """Nothing but its class and the registry has a row for a layer like this."""
    sources = [
        path
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*.py")
        if re.search(rf"\b{layer}Op\b", path.read_text())
    ]
    assert [path.name for path in sources] == ["activation.py"]
