"""docs/extending.md, followed in a copy of the project: a new activation layer is one class with
its formula and an entry in the registry; the int8 rule and the scales are those of the page.
"""

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
    """`y = x / (1 + |x|)`."""

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
from ncnn_opt.dialects.ncnn.ranges import Interval, range_of
from ncnn_opt.dialects.shapes.analysis import Shapes
from ncnn_opt.interpreters.ncnn.layer_evaluation import evaluate
from ncnn_opt.transforms.canonicalization.recognition.layer_formulas import formula_of

model = load("m.param", weights="none")
(op,) = [op for op in model.module.walk() if op.name == "ncnn.softsign"]
x = np.array([-2, 0, 0.5, 8], "f4")
(y,) = evaluate(op, [x])
assert np.allclose(y, 2.5 * x / (1 + np.abs(x)), rtol=1e-6), y
assert formula_of(op, Shapes()) is not None
assert range_of(op.formula(Arg(0)), [Interval(0.0, 1.0)]).low == 0
optimize(model, ["convert-ncnn-to-fused"])
assert not any(op.name == "ncnn.softsign" for op in model.module.walk())
optimize(model, ["convert-fused-to-ncnn"])
save(model, "n.param")
print(open("n.param").read())
"""


INT8_MODEL = """7767517
3 3
Input x 0 1 x 0=4
InnerProduct small 1 1 x y 0=8 1=0 2=32
InnerProduct large 1 1 y z 0=4 1=0 2=32
"""

INT8_SCRIPT = """
import numpy as np
from ncnn_opt import load
from ncnn_opt.dialects.shapes.analysis import Shapes
from ncnn_opt.quantization.scales import weight_scales

model = load("m.param")
for op in model.module.walk():
    if op.name == "ncnn.innerproduct":
        print(op.label(), op.int8_refusal(Shapes()))
        (scale, *_) = weight_scales(op, "percentile")
        print(scale > weight_scales(op, "minmax")[0])
"""

BLOCK = re.compile(
    r"^```python\n# in (\S+), (before|after): (.*?)\n(.*?)^```$", re.DOTALL | re.MULTILINE
)


def copy_project(folder: Path, *changed: str) -> None:
    """Copy the packages that a test changes; link all others."""
    for name in FOLDERS:
        if name in (*changed, "ncnn_opt"):
            shutil.copytree(ROOT / name, folder / name)
        else:
            (folder / name).symlink_to(ROOT / name)


def run_script(project: Path, script: str) -> str:
    """Run Python code in the copy and return its output."""
    result = subprocess.run(
        [sys.executable, "-c", script],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(project)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The project with an additional layer."""
    copy_project(tmp_path, "dialects")
    family = tmp_path / "dialects" / "ncnn" / "activation.py"
    family.write_text(family.read_text() + SOFTSIGN)
    registry = tmp_path / "dialects" / "ncnn" / "__init__.py"
    text = registry.read_text()
    row = '    "RotaryEmbed": _attention,\n'
    assert row in text
    registry.write_text(text.replace(row, row + '    "Softsign": _activation,\n'))
    return tmp_path


def test_a_layer_is_one_class_and_one_entry(project: Path) -> None:
    (project / "m.param").write_text(MODEL)
    output = run_script(project, SCRIPT)
    assert re.search(r"^Softsign +\w+ +1 1 x \w+ 0=2.500000e\+00$", output, re.MULTILINE)


@pytest.mark.parametrize("layer", ["CELU", "SELU", "ELU", "Shrink", "Threshold", "Softplus"])
def test_other_files_do_not_mention_a_layer_with_a_formula(layer: str) -> None:
    """Only its class and the registry mention a layer with a formula, and the table of PyTorch's
    functions."""
    sources = [
        path
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*.py")
        if path.parent.name != "pnnx_to_ncnn" and re.search(rf"\b{layer}Op\b", path.read_text())
    ]
    assert [path.name for path in sources] == ["activation.py"]


def test_int8_rule_of_the_page(tmp_path: Path) -> None:
    """The rule refuses the smaller layer, and the method of scales clips the largest weights."""
    import numpy as np

    copy_project(tmp_path, "dialects", "quantization")
    steps = BLOCK.findall((ROOT / "docs" / "extending.md").read_text())
    assert len(steps) == 3
    for path, where, line, code in steps:
        lines = (tmp_path / path).read_text().splitlines(keepends=True)
        index = next(i for i, text in enumerate(lines) if text.strip().startswith(line))
        lines.insert(index if where == "before" else index + 1, code)
        (tmp_path / path).write_text("".join(lines))
    (tmp_path / "m.param").write_text(INT8_MODEL)
    weights = np.random.default_rng(0).normal(size=64).astype("<f4")
    tag = bytes(4)
    (tmp_path / "m.bin").write_bytes(tag + weights[:32].tobytes() + tag + weights[32:].tobytes())
    assert run_script(tmp_path, INT8_SCRIPT).splitlines() == [
        "InnerProduct 'small' it has fewer than 8 weights per output",
        "True",
        "InnerProduct 'large' None",
        "True",
    ]
