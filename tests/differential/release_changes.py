"""Layers that compute something else, or do not run, in an older release of the ncnn runtime.

    python -m differential.release_changes [FOLDER]

Every case of every layer type, and variants of it with other values and other ranks, runs in each
release of FOLDER (`RELEASE/bin/python`, as for `releases.py`; those that are not there are made)
and in the newest one. `release_changes.json` gets the cases that differ, by the first release from
which on they are right. Models that the audit objects to, that the newest release refuses, and
whose results depend on memory that nobody wrote are left out.
"""

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from ncnn_opt.analysis.audit.model import audit
from ncnn_opt.analysis.shape_inference import set_input_shapes
from ncnn_opt.analysis.target_info.releases import releases
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.runtime.process import Blobs, Failure
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import PassFailedException

from .compiler import load
from .layer_cases import Case, CaseNet, net_of
from .oracle import FILLS, Oracle
from .releases import FOLDER, environments, install
from .semantics import NOT_COMPARED, all_cases, error

PATH = Path(__file__).with_name("release_changes.json")

SHAPES = ("7", "8", "5x7", "4x8", "3x5x7", "4x6x8", "3x2x5x7", "4x3x6x8", "8x5x4", "16x3")
"""The shapes of variants of a layer with one input."""

VALUES = ("uniform:-50:50", "ints:-3:3")
"""The values of variants of a case that has none of its own."""

TOLERANCE = 1e-3
"""The largest difference that counts as none, relative to an output's largest value."""

Answer = Blobs | Failure


def variants() -> Iterator[Case]:
    """All cases, each also with other values and, with one input, other shapes."""
    seen: set[str] = set()
    for family in all_cases().values():
        for case in family:
            for each in () if case.type in NOT_COMPARED else _variants(case):
                if each.line not in seen:
                    seen.add(each.line)
                    yield each


def _variants(case: Case) -> Iterator[Case]:
    yield case
    params = case.line.split("|")[1].strip() if "|" in case.line else ""
    shapes = ["x".join(map(str, shape)) for shape in case.inputs]

    def variant(shapes: Sequence[str], values: str) -> Case:
        tail = [params, str(case.outputs), " ".join([values] * len(shapes))]
        return Case.parse(" | ".join([f"{case.type} {' '.join(shapes)}", *tail]))

    if not case.values:
        yield from (variant(shapes, values) for values in VALUES)
        if len(shapes) == 1:
            yield from (variant([shape], "uniform:-4:4") for shape in SHAPES)


def module_of(case: Case, folder: Path) -> tuple[CaseNet, ModuleOp]:
    """The net of a case, written to a folder, and its module with the shapes of the inputs. Raises
    `ValueError` or `PassFailedException` if there is none."""
    net = net_of(case)
    module = load(net.write(folder))
    if net.inputs and case.type != "Input":
        shapes = {name: value.shape for name, value in net.inputs.items()}
        set_input_shapes(model_of(module), shapes)
    return net, module


def models(cases: Sequence[Case], folder: Path) -> Iterator[tuple[Case, CaseNet, Path]]:
    """Write the nets of the cases that the audit accepts, each into a folder of its own."""
    for number, case in enumerate(cases):
        place = folder / str(number)
        place.mkdir()
        try:
            net, module = module_of(case, place)
        except (ValueError, PassFailedException):
            continue
        if not list(audit(model_of(module))):
            yield case, net, place / "net.param"


def answers(
    python: str, nets: Sequence[tuple[CaseNet, Path]], fills: Sequence[int] = FILLS
) -> list[tuple[Answer, ...]]:
    """The outputs of each net in one environment, once for each byte that memory is filled with."""
    found: list[list[Answer]] = []
    for fill in fills:
        oracle = Oracle(fill, python)
        found.append([oracle.run(p, [net.inputs], net.outputs)[0] for net, p in nets])
        oracle.close()
    return list(zip(*found, strict=True))


def is_defined(found: Sequence[Answer]) -> bool:
    """Whether the newest release computes the same in memory of any content."""
    first = found[0]
    return not isinstance(first, Failure) and all(
        not isinstance(other, Failure)
        and all(np.array_equal(first[n], other[n], equal_nan=True) for n in first)
        for other in found[1:]
    )


def is_same(expected: Blobs, found: Sequence[Answer]) -> bool:
    """Whether an older release computes the same as the newest one."""
    return all(
        not isinstance(blobs, Failure)
        and all(
            value.shape == blobs[name].shape and error(blobs[name], value) <= TOLERANCE
            for name, value in expected.items()
        )
        for blobs in found
    )


def first_right(same: Mapping[str, bool]) -> str:
    """The first release from which on all releases compute the same as the newest one."""
    wrong = [release for release, is_right in same.items() if not is_right]
    known = releases()
    return known[known.index(max(wrong)) + 1] if wrong else known[0]


def table(
    cases: Sequence[Case],
    newest: Sequence[Sequence[Answer]],
    older: Mapping[str, Sequence[Sequence[Answer]]],
) -> dict[str, Any]:
    """The contents of `release_changes.json`."""
    found: dict[str, list[str]] = {}
    wrong: Counter[str] = Counter()
    defined = [i for i, answer in enumerate(newest) if is_defined(answer)]
    for i in defined:
        expected = newest[i][0]
        assert not isinstance(expected, Failure)
        same = {release: is_same(expected, older[release][i]) for release in sorted(older)}
        wrong.update(release for release, is_right in same.items() if not is_right)
        if (first := first_right(same)) != releases()[0]:
            found.setdefault(first, []).append(cases[i].line)
    return {
        "compared": len(defined),
        "differ": {release: wrong[release] for release in sorted(older)},
        "right since": {release: sorted(lines) for release, lines in sorted(found.items())},
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the table. Returns 1 if a release has no environment."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    args = parser.parse_args(arguments)
    older = releases()[:-1]
    for release in older:
        if (why := install(args.folder, release)) is not None:
            print(f"ncnn {release}: {why}")
            return 1
    pythons = environments(args.folder)
    with tempfile.TemporaryDirectory() as place:
        written = list(models(list(variants()), Path(place)))
        nets = [(net, param) for _, net, param in written]
        newest = answers(sys.executable, nets)
        found = {release: answers(pythons[release], nets, FILLS[:1]) for release in older}
    rows = table([case for case, _, _ in written], newest, found)
    PATH.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")
    print(f"{rows['compared']} cases; differ: {rows['differ']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
