"""The replay of a step in the ncnn runtime."""

import pytest
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.driver.replay import Replay
from ncnn_opt.driver.rewrite_proofs import RewriteError, RewriteProofs
from ncnn_opt.proofs import Status
from ncnn_opt.proofs.recorder import RecordedRewrite
from ncnn_opt.proofs.regions import region_of
from ncnn_opt.proofs.step_proofs import Ground, Verdict

from .test_extents import model

pytest.importorskip("ncnn", reason="needs the ncnn runtime")

CLIP = 'ncnn.clip %x {name = "y", min = 0.0, max = 6.0}'
RELU = 'ncnn.relu %x {name = "y"}'
HARD = 'ncnn.hardsigmoid %x {name = "y", alpha = 0.5, beta = 0.5}'


def ground(before: str, after: str, shape: str = "3x7x9") -> Ground:
    """A region of one layer, before and after a rewrite."""
    sides = [model_of(model(each, shape, shape)) for each in (before, after)]
    region = region_of(sides[0], sides[1], {})
    return Ground(region, [tuple(map(int, shape.split("x")))])


def test_a_right_step_is_counted() -> None:
    with Replay() as replay:
        assert replay.difference(ground(CLIP, CLIP)) == ""
        assert (replay.done, replay.refused) == (1, 0)


@pytest.mark.parametrize("after", [RELU, HARD])
def test_a_wrong_step_differs(after: str) -> None:
    with Replay() as replay:
        assert "its results differ" in replay.difference(ground(CLIP, after))
        assert replay.done == 0


def test_a_difference_ends_the_run() -> None:
    """A step that a proof would accept, and that the runtime does not."""
    verdict = Verdict(Status.PROVEN, ground=ground(CLIP, RELU))
    step = RecordedRewrite("a-pass", None, ("Clip 'y'",), ("ReLU 'y'",), "0", "1", verdict, 0.0)
    with Replay() as replay:
        proofs = RewriteProofs(print, replay=replay)
        with pytest.raises(RewriteError, match="step 1 is wrong: a-pass: Clip 'y' -> ReLU 'y': in"):
            proofs.receive(step)
    assert proofs.steps[0].verdict.ground is None


def test_a_region_that_the_runtime_does_not_run_is_refused() -> None:
    with Replay() as replay:
        huge = ground(CLIP, RELU, "3x1024x1024")
        assert replay.difference(huge) == ""
        assert (replay.done, replay.refused) == (0, 1)
