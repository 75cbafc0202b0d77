"""A hunt runs nets of all sources, says what it ran, and finds what is wrong and who did it."""

import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from ncnn_opt.dialects.ncnn.activation import ReLUOp
from ncnn_opt.dialects.shapes.analysis import Shapes
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from .amount import examples
from .hunting import sources
from .hunting.hunt import Hunt, report
from .hunting.rewrite_proofs import ProofHunt
from .runtime import Runtime
from .test_driver import wrong

NETS = examples(10)
"""Nets of each family."""


@pytest.mark.parametrize("family", sources.FAMILIES)
def test_nothing_is_wrong(family: str, runtime: Runtime, tmp_path: Path) -> None:
    hunt = Hunt(runtime, tmp_path, tmp_path, (family,), batch=5)
    for _ in hunt.run(NETS, first_seed=1):
        pass
    assert not hunt.found, "\n".join(report(hunt))
    assert hunt.nets == NETS
    assert hunt.evidence > 0.7 * NETS
    # Which other extents layers take the reference tells, which knows no batches.
    if family not in ("constants", "batches"):
        assert hunt.tally.columns["extents"][""] > 0


def leak(op: Operation, rewriter: PatternRewriter) -> None:
    if isinstance(op, ReLUOp) and op.slope != 0.5:
        op.set_params(slope=0.5)
        rewriter.notify_op_modified(op)


def test_who_is_wrong_is_found(
    runtime: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with wrong(leak) as passes:
        monkeypatch.setattr(sources, "OPTIMIZE", tuple(passes))
        hunt = Hunt(runtime, tmp_path, tmp_path / "found", ("graphs",))
        for _ in hunt.run(30, first_seed=1):
            pass
    assert set(hunt.found) == {"values-Wrong"}
    lines = (tmp_path / "found" / "values-Wrong.param").read_text().splitlines()
    kinds = Counter(line.split()[0] for line in lines[2:])
    assert kinds["ReLU"] >= 1
    assert kinds.total() <= 6, lines  # the least that a graph has: two inputs and three layers
    small = hunt.reduced["values-Wrong"].read_text().splitlines()
    assert [line.split()[0] for line in small[2:]] == ["Input", "ReLU"]


def is_its_input(op: ReLUOp, shapes: Shapes) -> Sequence[SSAValue]:
    return (op.input,)


def test_proofs(runtime: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each rewrite is proven; a wrong one is refuted, and named."""
    right = ProofHunt(runtime, tmp_path, tmp_path / "none", ("graphs",), batch=5)
    for _ in right.run(5, first_seed=1):
        pass
    assert not right.found
    assert right.steps["proven"] > 0
    monkeypatch.setattr(ReLUOp, "fold_to_values", is_its_input)
    hunt = ProofHunt(runtime, tmp_path, tmp_path / "found", ("graphs",), batch=5)
    for _ in hunt.run(10, first_seed=1):
        pass
    assert set(hunt.found) == {"refuted-EliminateIdentity"}


def test_command(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "differential.hunting", "--nets", "20", "graphs"]
    folder = Path(__file__).parents[1]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("20 nets, ")
    assert "FuseAffine" in done.stdout
