"""The options of a quantization: one record for the command, the Python API and batches.

The record checks that options do not contradict each other, and divides the samples among
calibration, changes of weights and evaluation.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Literal, TypeAlias

from ..interpreters.errors import RunError
from ..runtime.custom_layers import CustomLayers, Location

Method: TypeAlias = Literal["best", "mse", "kl", "minmax", "percentile", "aciq"]
TableMethod: TypeAlias = Literal["mse", "kl", "minmax", "percentile", "aciq"]
WeightMethod: TypeAlias = Literal["minmax", "mse", "aciq"]
FloatStorage: TypeAlias = Literal["fp16", "fp32", "keep"]
WeightChanges: TypeAlias = Literal["equalize", "gptq", "correct_bias"]

WEIGHT_CHANGES: tuple[WeightChanges, ...] = ("equalize", "gptq", "correct_bias")
"""The options that change weights."""
DEFAULT_CHANGES: tuple[WeightChanges, ...] = ("gptq",)
"""The changes that are tried by default: GPTQ helps most models most, and takes two to four times
the time. Equalization needs a second calibration and changes the blobs between layers."""


class RecipeError(RunError):
    """Options contradict each other, or do not fit the samples."""


@dataclass(frozen=True)
class Recipe:
    """The options of a quantization. Fields are those of `ncnn-quantize` (docs/quantize.md), with
    the same defaults. Raises `RecipeError`."""

    method: Method = "best"
    """The method that chooses the scales of blobs; `best` tries all."""
    weight_method: WeightMethod | None = None
    """The method that chooses the scales of weights; `None`: the better of `minmax` and `mse` with
    `method="best"`, else `minmax`."""
    equalize: bool = False
    """Equalize channels between convolutions."""
    gptq: bool = False
    """Fit weights and biases to int8 by GPTQ."""
    correct_bias: bool = False
    """Subtract the mean error of each channel from biases."""
    quick: bool = False
    """Keep the weights: try none of these changes."""
    keep_slower: bool = False
    """Leave layers in float that are slower in int8 on this processor, or on one of `devices`."""
    devices: Sequence[str] = ()
    """The addresses of devices that measure for `keep_slower` and `latency`; none: this machine."""
    max_nsr: float | None = None
    """The largest error at each output, a ratio of energies; layers stay in float until it
    holds."""
    min_snr: float | None = None
    """The same in dB."""
    keep: Sequence[str] = ()
    """The names of layers that stay float."""
    static_only: bool = False
    """Leave layers in float that quantize their inputs at run time."""
    storage: FloatStorage | None = None
    """The storage of weights that stay float; `None`: as they are."""
    measure: bool = False
    """Evaluate the result layer by layer."""
    classes: Sequence[int] | None = None
    """The right class of each sample, for the evaluation."""
    latency: bool = False
    """Measure the latency of both models, as part of the evaluation."""
    repeat: int = 50
    """The number of runs of each model in a latency measurement."""
    eval_samples: int = 16
    """The number of samples by which models are evaluated."""
    holdout: int | None = None
    """The number of samples at the end that are for evaluation only."""
    jobs: int | None = None
    """The number of processes; `None`: one for each CPU."""
    scheduler: str | None = None
    """The address of a dask.distributed scheduler for the calibration."""
    custom_layers: CustomLayers = field(default_factory=dict[str, Location])
    """The classes of custom layers, by layer type."""

    def __post_init__(self) -> None:
        named = self._named
        if named and self.quick:
            raise RecipeError(f"{named[0]} and quick contradict each other: give one of them")
        if self.devices and not (self.keep_slower or self.latency):
            raise RecipeError("a device measures for keep_slower and latency: give one of them")
        if self.custom_layers and (self.keep_slower or self.latency):
            raise RecipeError("keep_slower and latency do not time models with custom layers")
        if self.max_nsr is not None and self.min_snr is not None:
            raise RecipeError("max_nsr and min_snr specify the same limit: give one of them")
        if self.max_nsr is not None and not (isfinite(self.max_nsr) and self.max_nsr >= 0):
            raise RecipeError(f"max_nsr must be a number of at least 0, not {self.max_nsr}")
        if self.min_snr is not None and not -1000 < self.min_snr < 1000:
            raise RecipeError(f"min_snr must be a number of dB, not {self.min_snr}")

    @property
    def changes(self) -> Collection[WeightChanges]:
        """The changes of weights to try: those that are named; by default `DEFAULT_CHANGES` if the
        method is not named either."""
        if self._named or self.quick or self.method != "best":
            return self._named
        return DEFAULT_CHANGES

    @property
    def _named(self) -> list[WeightChanges]:
        return [name for name in WEIGHT_CHANGES if getattr(self, name)]

    @property
    def limit(self) -> float | None:
        """The largest allowed error, if there is a limit."""
        return self.max_nsr if self.min_snr is None else 10 ** (-self.min_snr / 10)

    @property
    def evaluates(self) -> bool:
        """Whether the result contains an evaluation."""
        return self.measure or self.classes is not None or self.latency

    @property
    def compares(self) -> bool:
        """Whether int8 models must run beside the float model."""
        wanted = self.limit is not None or self.evaluates or self.keep_slower
        return wanted or self.method == "best" or bool(self.changes)

    def calibrated(self, total: int) -> int:
        """Return the number of samples for calibration, of `total`."""
        return total - (self.holdout or 0)

    def evaluated(self, total: int) -> list[int]:
        """Return the samples for evaluation: those held back from calibration, or some of all.
        Raises `RecipeError` if there are too few samples or classes."""
        held = self.holdout or 0
        if held >= total > 0:
            raise RecipeError(f"holdout is {held}: there are {total} samples")
        if self.classes is not None and len(self.classes) < total:
            raise RecipeError(f"there are {len(self.classes)} classes for {total} samples")
        samples = range(total - held, total) if held else range(total)
        return [samples[i] for i in spread(len(samples), self.eval_samples)]


@dataclass(frozen=True)
class Division:
    """The samples by which weights change, and those by which the change is accepted."""

    fitted: Sequence[int]
    accepted: Sequence[int]


def divide(calibrated: int, evaluated: Sequence[int], most: int) -> Division:
    """Divide samples for changes of weights: at most `most` samples of the calibration that are not
    evaluated. If too few are left, half of the evaluated samples, and the others decide: the error
    on a sample that weights were fitted to is too small."""
    left = [i for i in range(calibrated) if i not in set(evaluated)]
    held_back = not any(i < calibrated for i in evaluated)
    if left and (held_back or len(left) >= len(evaluated) // 2):
        return Division([left[i] for i in spread(len(left), most)], evaluated)
    return Division(evaluated[::2], evaluated[1::2] or evaluated)


def spread(total: int, most: int) -> list[int]:
    """Return the indices of at most `most` of all samples, spread evenly."""
    return sorted({i * total // most for i in range(most)}) if total > most else list(range(total))
