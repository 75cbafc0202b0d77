"""Steps of a quantization as text."""

from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.quantization.step_records import WeightsChanged

import ncnn_opt

SMALL_CNN = Path(__file__).parents[3] / "examples" / "small_cnn.param"


def test_a_change_of_weights_as_text() -> None:
    errors = "made: error 0.5 (3.0 dB) -> 0.25 (6.0 dB)"
    assert str(WeightsChanged("made", 0.5, 0.25, 8)) == f"{errors}, over 8 samples"
    assert str(WeightsChanged("made", 0.5, 0.25, 1)) == f"{errors}, over 1 sample"
    assert str(WeightsChanged("made", 0.5, 0.25, 8, True)) == (
        f"{errors}, over 8 samples held back from it"
    )
    worse = WeightsChanged("made", 0.25, 0.5, 8, True)
    assert str(worse).endswith("over 8 samples held back from it: the weights stay as they were")


@pytest.mark.filterwarnings("ignore:.*is the only sample")
@pytest.mark.parametrize(
    ("total", "holdout", "words"),
    [
        (6, None, "over 3 samples held back from it"),
        (6, 2, "over 2 samples held back from it"),
        (1, None, "over 1 sample"),
    ],
)
def test_the_samples_that_decide(total: int, holdout: int | None, words: str) -> None:
    data = np.random.default_rng(0).uniform(-1, 1, (total, 3, 32, 32)).astype("f4")
    model = ncnn_opt.load(SMALL_CNN)
    result = ncnn_opt.quantize(model, data, method="mse", gptq=True, holdout=holdout, jobs=1)
    (step,) = (each for each in result.steps if isinstance(each, WeightsChanged))
    text = str(step).removesuffix(": the weights stay as they were")
    assert text.startswith("weights rounded by GPTQ: error ")
    assert text.endswith(f"), {words}")
