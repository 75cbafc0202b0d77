"""Mutants are small changes of behaviour, and a test that runs on one runs on its code."""

from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from .__main__ import report
from .checkout import ROOT
from .equivalents import EQUIVALENTS, Equivalent, reason_of
from .mutants import Mutant, is_python, places, sample, skipped
from .selection import NEAREST, nearest
from .trials import changed_functions, patch

PATH = "transforms/example.py"

SOURCE = '''
"""Text with 1 and 2."""
Rows = tuple[int, ...] | None
LIMIT = 3


def is_small(n: int | None, *, most: int = 4) -> bool:
    """Whether n < 3."""
    assert n is not None, "n < 3"
    if n > 100:
        raise ValueError(f"{n + 1}")
    return n < LIMIT


def chosen(rows: list[int]):
    return [n for n in rows if n % 2]


class Counter:
    step = 1

    def count(self, start: int) -> int:
        def added(n: int) -> int:
            return start + n * self.step

        return added(5)
'''


def loaded(source: str) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(source, f"/copy/.package/ncnn_opt/{PATH}", "exec"), names)
    return names


def changed(old: str, new: str) -> dict[CodeType, CodeType] | None:
    assert SOURCE.count(old) == 1
    return changed_functions(PATH, SOURCE, SOURCE.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "call", "result"),
    [
        ("n < LIMIT", "n <= LIMIT", "is_small(3)", True),
        ("n % 2", "not n % 2", "chosen([1, 2, 3])", [2]),
        ("start + n", "start - n", "Counter().count(7)", 2),
    ],
)
def test_functions_that_are_there_already_run_the_code_of_a_mutant(
    old: str, new: str, call: str, result: object
) -> None:
    names = loaded(SOURCE)
    before = eval(call, names)
    pairs = changed(old, new)
    assert pairs
    assert patch(PATH, pairs)
    assert eval(call, names) == result != before


def test_code_of_another_file_is_left_alone() -> None:
    names = loaded(SOURCE)
    pairs = changed("n < LIMIT", "n <= LIMIT")
    assert pairs
    assert not patch("transforms/other.py", pairs)
    assert not names["is_small"](3)


@pytest.mark.parametrize(
    ("old", "new"),
    [("LIMIT = 3", "LIMIT = 4"), ("step = 1", "step = 2"), ("most: int = 4", "most: int = 5")],
)
def test_code_outside_of_functions_needs_a_new_process(old: str, new: str) -> None:
    assert changed(old, new) is None


def test_nothing_is_changed_where_behaviour_stays() -> None:
    spans = skipped(SOURCE)
    lines = SOURCE.splitlines()
    texts = [lines[a[0] - 1][a[1] : b[1]] for a, b in spans if a[0] == b[0]]
    assert {"int | None", "bool", "tuple[int, ...] | None"} < {t.split(" = ")[-1] for t in texts}
    assert any(text.startswith("raise") for text in texts)
    assert not any("n < LIMIT" in text or "LIMIT = 3" in text for text in texts)


def test_each_place_is_mutated(tmp_path: Path) -> None:
    pytest.importorskip("cosmic_ray", reason="needs cosmic-ray (the extra mutation)")
    found = {(line, name.split("/")[1]) for line, name, _ in places(SOURCE)}
    lines = SOURCE.splitlines()
    at = {text.strip(): number for number, text in enumerate(lines, 1)}
    assert (at["return n < LIMIT"], "ReplaceComparisonOperator_Lt_LtE") in found
    assert (at["LIMIT = 3"], "NumberReplacer") in found
    assert not {line for line, _ in found} & {
        at['"""Text with 1 and 2."""'],
        at["Rows = tuple[int, ...] | None"],
        at['raise ValueError(f"{n + 1}")'],
    }
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.py").write_text(SOURCE)
    (tmp_path / "a" / "y.py").write_text(SOURCE * 2)
    drawn = sample(tmp_path, ["a"], 9, seed=1)
    assert [m.path for m in drawn] == ["a/x.py"] * 3 + ["a/y.py"] * 6
    assert len({m.key for m in drawn}) == 9
    assert drawn == sample(tmp_path, ["a"], 9, seed=1) != sample(tmp_path, ["a"], 9, seed=2)
    assert sample(tmp_path, ["a"], 9, 1, ["a/y"]) == drawn[3:]
    for mutant in drawn:
        (line,) = [n for n in mutant.diff((tmp_path / mutant.path).read_text()).splitlines()[2:]
                   if n.startswith("+")]  # fmt: skip
        assert line[1:] == mutant.source.splitlines()[mutant.line - 1]


def test_errors_of_syntax_are_no_mutants(tmp_path: Path) -> None:
    pytest.importorskip("cosmic_ray", reason="needs cosmic-ray (the extra mutation)")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.py").write_text(
        "def f(a):\n    return {\n        **a,\n        'b': 1,\n    }\n"
    )
    for seed in range(8):
        drawn = sample(tmp_path, ["a"], 9, seed)
        assert all(is_python(mutant.source) for mutant in drawn)
        assert {m.line for m in drawn} <= {1, 3, 4}
        assert 4 in {m.line for m in drawn}


def test_the_longest_path_has_the_nearest_tests() -> None:
    assert nearest("quantization/counts.py") is NEAREST["quantization"]
    assert nearest("quantization/layer_timing.py") is NEAREST["quantization/layer_timing.py"]
    assert nearest("transforms/quantization/int8.py") is NEAREST["transforms/quantization"]


def test_each_name_is_of_something_that_exists() -> None:
    names = [*NEAREST]
    for groups in NEAREST.values():
        names += [name.partition("::")[0] for group in groups for name in group.arguments]
    assert not [name for name in dict.fromkeys(names) if not [*ROOT.glob(name)]]


def test_a_key_is_of_the_path_and_the_text() -> None:
    mutant = Mutant("a.py", 1, "x", "n = 2")
    assert mutant.key == Mutant("a.py", 3, "y", "n = 2").key
    assert mutant.key != Mutant("b.py", 1, "x", "n = 2").key


def test_each_equivalent_mutant_is_of_a_line() -> None:
    for each in EQUIVALENTS:
        lines = [line.strip() for line in (ROOT / each.path).read_text("utf-8").splitlines()]
        assert each.line in lines, each
        assert each.reason


def test_equivalent_mutants_are_found_by_their_lines() -> None:
    each: Equivalent = EQUIVALENTS[0]
    source = f"x = 1\n    {each.line}\n"
    mutant = Mutant(each.path, 2, f"core/{each.operator}", "")
    assert reason_of(mutant, source) == each.reason
    assert reason_of(Mutant(each.path, 1, mutant.operator, ""), source) is None
    assert reason_of(Mutant("proofs/array.py", 2, mutant.operator, ""), source) is None
    assert reason_of(Mutant(each.path, 2, "core/AddNot", ""), source) is None


def test_equivalent_mutants_count_apart(capsys: pytest.CaptureFixture[str]) -> None:
    found = ["killed"] * 7 + ["timeout", "survived", "survived"] + ["equivalent"] * 3
    rest = {"key": "1", "operator": "core/AddNot", "diff": "-a"}
    report([{"outcome": outcome, "path": "proofs/array.py", **rest} for outcome in found])
    *_, folder, every, _ = capsys.readouterr().out.split("\n")
    for name, line in (("proofs", folder), ("all", every)):
        assert " ".join(line.split()) == f"{name} 8 of 10 noticed (80.0%), 3 equivalent"
