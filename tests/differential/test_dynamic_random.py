"""Random models of one size made models of any compute at other sizes what the same models of that
size do, or it is said that they cannot."""

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from draws import part_of

from .amount import FACTOR
from .compiler import command
from .dynamic_trial import Counts, attempt
from .runtime import Failure, Runtime
from .sized import Mixture

SIZES = ((12, 16), (9, 14), (21, 17), (16, 16), (13, 8), (30, 11))


@pytest.mark.parametrize("like", [False, True], ids=["alone", "like"])
def test_mixtures(
    like: bool,
    every: bool,
    runtime: Runtime,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = Counter[str]()
    for seed in part_of(range(int(60 * FACTOR)), f"mixtures, {like}", every, 3):
        size, other = SIZES[seed % 4], SIZES[(seed + 1) % 4]
        source, result = Mixture(seed, *size).net.write(tmp_path), tmp_path / "any.param"
        options = ["-O"] if seed % 3 == 0 else []
        if like:
            options += ["--other-export", str(Mixture(seed, *other).net.write(tmp_path, "other"))]
        try:
            command(source, "--dynamic", "in0=h,w", *options, "-o", result)
        except SystemExit:
            reason = re.search(r"the shapes cannot be dynamic: (\w+)", capsys.readouterr().err)
            assert reason is not None, seed
            said[reason[1]] += 1
            continue
        for at in SIZES:
            net = Mixture(seed, *at).net
            param = net.write(tmp_path, "sized")
            expected = runtime.run(param, net.inputs, ["out0"], light_mode=False)
            blobs = runtime.run(result, net.inputs, ["out0"])
            assert not isinstance(expected, Failure), (seed, at)
            assert not isinstance(blobs, Failure), (seed, at, blobs)
            a, b = expected["out0"], blobs["out0"]
            assert a.shape == b.shape, (seed, at)
            assert np.abs(a - b).max() <= 1e-4 * max(np.abs(a).max(), 1e-6), (seed, at)
        said["equal"] += 1
    assert said["equal"] > (0.8 if every else 0.5) * said.total(), said


RIGHT = (
    0, 9, 19, 20, 60, 61, 71, 85, 125, 139, 159, 171, 229, 234, 256, 257, 419, 439, 487, 493, 635,
    698, 705, 723, 768, 771, 1067, 1075, 1127, 1129, 1156, 1174, 1233, 1279, 1369, 1417, 1536, 1580,
    1616, 1759, 1773, 1850, 1977, 2095, 2194, 2199, 2286, 2335, 2342, 2386, 2484, 2618, 2679, 2771,
    2843, 2958, 2995,
)  # fmt: skip
"""Nets that work at any size."""

REFUSED: dict[str, tuple[int, ...]] = {
    "MemoryData": (5, 79, 188, 322, 408, 573, 696, 826, 875, 930, 956, 1029, 1175, 1338, 1348, 1720,
                   2599, 2639, 2855),
    "Crop": (23, 478, 632, 686, 1243, 1602, 1646, 1787, 1878, 2170),
    "Power": (40,),
    "MatMul": (58, 456, 476, 1554, 1792, 2088, 2816),
    "BinaryOp": (151, 157, 1370, 1381, 1503, 2665, 2887),
    "Slice": (606, 1258, 1608),
    "Interp": (645,),
    "Clip": (848, 1837),
}  # fmt: skip
"""Nets that do not, by the layer that is refused. These and those above are the fewest nets of 3000
that go through all of `transforms/dynamic_shapes` that the 3000 do, where they can more than once.
"""


def test_results_of_chosen_nets(runtime: Runtime, tmp_path: Path) -> None:
    refused = [(seed, kind) for kind, seeds in REFUSED.items() for seed in seeds]
    for seed, kind in [*[(seed, "") for seed in RIGHT], *refused]:
        counts = Counts()
        attempt(seed, runtime, tmp_path, counts)
        assert not counts.wrong, counts.wrong
        assert (seed, *counts.reasons) == ((seed, kind) if kind else (seed,))


def test_a_result_is_right_or_refused(runtime: Runtime, tmp_path: Path) -> None:
    counts = Counts()
    for seed in range(int(15 * FACTOR)):
        attempt(seed, runtime, tmp_path, counts)
    assert not counts.wrong, "\n".join(counts.wrong)
