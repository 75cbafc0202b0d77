"""Random models of one size made models of any compute at other sizes what the same models of that
size do, or it is said that they cannot."""

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from .amount import FACTOR
from .compiler import command
from .dynamic_trial import Counts, attempt
from .runtime import Failure, Runtime
from .sized import Mixture

SIZES = ((12, 16), (9, 14), (21, 17), (16, 16), (13, 8), (30, 11))


@pytest.mark.parametrize("like", [False, True], ids=["alone", "like"])
def test_mixtures(
    like: bool, runtime: Runtime, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = Counter[str]()
    for seed in range(int(60 * FACTOR)):
        size, other = SIZES[seed % 4], SIZES[(seed + 1) % 4]
        source, result = Mixture(seed, *size).net.write(tmp_path), tmp_path / "any.param"
        options = ["-O"] if seed % 3 == 0 else []
        if like:
            options += ["--like", str(Mixture(seed, *other).net.write(tmp_path, "other"))]
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
    assert said["equal"] > 0.8 * said.total(), said


def test_a_result_is_right_or_refused(runtime: Runtime, tmp_path: Path) -> None:
    counts = Counts()
    for seed in range(int(60 * FACTOR)):
        attempt(seed, runtime, tmp_path, counts)
    assert not counts.wrong, "\n".join(counts.wrong)
    for like in ("", " --like"):
        assert counts.total[f"right{like}"] > 0.4 * counts.nets / 2, counts.total
        assert counts.total[f"refused{like}"] > 0, counts.total
