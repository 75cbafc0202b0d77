"""The steps of a quantization: records of their results, and an observer that receives them.

The library prints nothing: the command prints the records, and the Python API returns them.
"""

from dataclasses import dataclass

from ..dialects.xdsl_extras.warning import warn
from .blob_errors import snr_of


def describe_error(error: float) -> str:
    """Return an error as a ratio of energies and in dB."""
    return f"{error:.3g} ({snr_of(error):.1f} dB)"


@dataclass(frozen=True)
class MethodTried:
    """The error of a model with the scales of two methods."""

    method: str
    weight_method: str
    error: float

    def figures(self) -> dict[str, object]:
        """Return the numbers of the step for a program."""
        return {"error": self.error}

    def __str__(self) -> str:
        return f"{self.method}, weights {self.weight_method}: error {describe_error(self.error)}"


@dataclass(frozen=True)
class WeightsChanged:
    """The effect of a change of weights."""

    change: str
    """`equalized 2 pairs of layers`, `weights rounded by GPTQ` or `corrected biases`."""
    before: float
    after: float
    """The errors without and with the change."""
    samples: int
    """The number of samples of the errors."""
    held_back: bool = False
    """Whether the change was made with other samples only."""

    @property
    def is_kept(self) -> bool:
        """Whether the change is part of the result."""
        return self.after < self.before

    def figures(self) -> dict[str, object]:
        """Return the numbers of the step for a program."""
        return {
            "error_before": self.before,
            "error_after": self.after,
            "samples": self.samples,
            "kept": self.is_kept,
        }

    def __str__(self) -> str:
        errors = f"{describe_error(self.before)} -> {describe_error(self.after)}"
        count = "1 sample" if self.samples == 1 else f"{self.samples} samples"
        text = f"{self.change}: error {errors}, over {count}"
        if self.held_back:
            text += " held back from it"
        return text if self.is_kept else f"{text}: the weights stay as they were"


@dataclass(frozen=True)
class KeptFloat:
    """A layer that stays float for its error or its time."""

    layer: str
    label: str
    reason: str

    def figures(self) -> dict[str, object]:
        """Return the layer for a program."""
        return {"layer": self.layer}

    def __str__(self) -> str:
        return f"{self.label} stays float: {self.reason}"


@dataclass(frozen=True)
class Note:
    """Another result of a step, as a sentence."""

    text: str

    def figures(self) -> dict[str, object]:
        """Return no numbers."""
        return {}

    def __str__(self) -> str:
        return self.text


QuantizationStep = MethodTried | WeightsChanged | KeptFloat | Note


class QuantizationObserver:
    """Receives the progress, the steps and the warnings of a quantization. This one ignores all."""

    def on_progress(self, activity: str, done: int, total: int) -> None:
        """Is called while a long activity runs."""

    def on_step(self, step: QuantizationStep) -> None:
        """Is called after each step."""

    def on_warning(self, message: str) -> None:
        """Is called for samples that give poor scales."""


class Warner(QuantizationObserver):
    """Passes warnings on to Python's `warnings`."""

    def on_warning(self, message: str) -> None:
        warn(message)
