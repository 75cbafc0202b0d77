"""Models through the fused level and back compute what they computed, whether or not what is there
is simplified in between; every fused operation becomes layers again."""

from collections import Counter
from pathlib import Path

from hypothesis import given, note, settings
from hypothesis import strategies as st
from ncnn_opt.transforms import OPTIMIZE

from .amount import REPEATABLE, examples
from .comparing import is_evidence
from .compiler import run_passes
from .fused_models import Conversion, check_equal, converted
from .nets import Net
from .round_trips import round_trips
from .runtime import Failure, Runtime

EXAMPLES = examples(75)

LEAST = 1e-2
TOLERANCE = 1e-3
"""Of the largest value of a blob: some layers become several, and these round after each."""


def test_there_and_back(runtime: Runtime, tmp_path: Path) -> None:
    seen: Counter[str] = Counter()

    @settings(REPEATABLE, max_examples=EXAMPLES)
    @given(round_trips(), st.booleans())
    def run(net: Net, optimized: bool) -> None:
        note(net.text())
        seen["models"] += 1
        param = net.write(tmp_path)
        names = [name for name in net.outputs if name not in net.inputs]
        before = runtime.run(param, net.inputs, names, light_mode=False)
        evidence = is_evidence(before)
        seen["failures"] += isinstance(before, Failure)
        there = converted(param, OPTIMIZE if optimized else ())
        for after in ((), ("canonicalize",)):
            result = Conversion(there.module.clone(), there.remarks)
            run_passes(result.module, after)
            back = result.back(tmp_path / "back.param")
            if evidence and not isinstance(before, Failure):
                check_equal(before, result.compute(net.inputs), TOLERANCE, LEAST)
                check_equal(before, runtime.run(back, net.inputs, names), TOLERANCE, LEAST)
        seen["evidence"] += evidence
        seen["fused"] += len(there.fused)
        seen["left"] += len(there.left)

    run()
    assert seen["evidence"] > 0.8 * seen["models"], seen
    assert seen["fused"] > seen["left"], seen
