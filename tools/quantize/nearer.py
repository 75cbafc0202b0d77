"""Models with scales, and what brings them nearer to float: kept only where the error falls."""

import argparse
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from ...dialects.ncnn.lookup import model_of
from ...driver.errors import UsageError
from ...formats.scale_table import ScaleTable
from ...quantization.blob_errors import snr_of
from ...quantization.choosing import best_table
from ...quantization.correcting import correct_biases
from ...quantization.equalizing import equalize
from ...quantization.evaluator import Bench, spread
from ...quantization.fitting import fit_weights
from ...quantization.integers import quantized
from ...quantization.layerwise import Tell
from ...quantization.prepared import Prepared
from ...quantization.statistics import Statistics
from ..messages import say
from ..progress import Progress
from .calibrate import table_of
from .option_groups import BEST, WEIGHT_METHODS

CHANGES = ("equalize", "gptq", "correct_bias")
"""The options that let weights change."""
DEFAULT = ("gptq",)
"""Those of them that are done where nothing else is asked for: what helps most models most, for two
to four times the time. Equalizing takes a second calibration, and changes blobs between layers."""


def changes_of(args: argparse.Namespace) -> Collection[str]:
    """The changes of weights that the options ask for: those named, else the usual ones where we
    choose the method as well. Raises `UsageError` where a table is to be written, which would be of
    no use with other weights."""
    named = [name for name in CHANGES if getattr(args, name)]
    if named and (args.output_table is not None or args.quick):
        flag = "--" + named[0].replace("_", "-")
        if args.quick:
            raise UsageError(f"{flag} and --quick contradict each other")
        raise UsageError(f"{flag} changes weights: a table would be of no use elsewhere")
    if named or args.quick or args.method != BEST or args.output_table is not None:
        return named
    return DEFAULT


@dataclass(frozen=True)
class Samples:
    """By which samples weights change, and by which it is judged whether they are better so."""

    seen: Sequence[int]
    judges: Sequence[int]


def divide(calibrated: int, measured: Sequence[int], most: int) -> Samples:
    """Weights change by samples of the calibration that models are not measured by, as many as
    there may be at most. Where too few are left, every second one of both kinds is for that, and
    the others judge: what was fitted to a sample says little by it."""
    left = [i for i in range(calibrated) if i not in set(measured)]
    held_back = not any(i < calibrated for i in measured)
    if left and (held_back or len(left) >= len(measured) // 2):
        return Samples([left[i] for i in spread(len(left), most)], measured)
    return Samples(measured[::2], measured[1::2] or measured)


Change = Callable[[Bench, ModuleOp, ScaleTable, Collection[str], Sequence[int], Tell], ModuleOp]
"""What changes weights by samples, and tells how far it is."""
FIT: tuple[str, Change] = ("fitted weights", fit_weights)
CORRECT: tuple[str, Change] = ("corrected biases", correct_biases)


@dataclass(frozen=True)
class Attempt:
    """A model with scales."""

    module: ModuleOp
    prepared: Prepared
    measuring: Bench | None
    table: ScaleTable
    error: float


def choose(
    module: ModuleOp,
    measuring: Bench | None,
    prepared: Prepared,
    found: Statistics,
    args: argparse.Namespace,
    keep: list[str],
) -> Attempt:
    """The scales, by the method that is asked for or the best one."""

    def tell(method: str, weights: str, error: float) -> None:
        error_text = f"{error:.3g} ({snr_of(error):.1f} dB)"
        say(f"ncnn-quantize: {method}, weights {weights}: error {error_text}")

    if not prepared.candidates:
        return Attempt(module, prepared, measuring, ScaleTable(), 0.0)
    if args.method == BEST and measuring is not None:
        func = model_of(module)
        table, error = best_table(func, measuring, found, args.weight_method, keep, tell)
        return Attempt(module, prepared, measuring, table, error)
    args.weight_method = args.weight_method or WEIGHT_METHODS[0]
    table, error = table_of(module, prepared, found, args), 0.0
    if measuring is not None and "equalize" in changes_of(args):
        error = measuring.error(quantized(module, table, keep, ""))
        tell(args.method, args.weight_method, error)
    return Attempt(module, prepared, measuring, table, error)


def equalized(plain: Attempt, attempt: Callable[[ModuleOp], Attempt]) -> Attempt:
    """The model with equalized channels, if its error is less; else the one as it was."""
    assert plain.measuring is not None
    module = plain.module.clone()
    pairs = equalize(model_of(module), plain.measuring.ranges())
    if not pairs:
        say("ncnn-quantize: there are no layers to equalize")
        return plain
    say(f"ncnn-quantize: equalized {pairs} pairs of layers")
    other = attempt(module)
    if other.error < plain.error:
        return other
    say("ncnn-quantize: it is not nearer than as it was, and stays so")
    return plain


def nearer(
    best: Attempt, module: ModuleOp, keep: list[str], how: tuple[str, Change], samples: Samples
) -> ModuleOp:
    """The float model with other weights, if the error is less in int8; else the one as it was."""
    assert best.measuring is not None
    what, change = how
    with Progress(what, 1) as progress:

        def tell(done: int, total: int) -> None:
            progress.total = total
            progress.update(done)

        other = change(best.measuring, module, best.table, keep, samples.seen, tell)
    before, after = (
        best.measuring.error(quantized(each, best.table, keep, ""), samples.judges)
        for each in (module, other)
    )
    errors = f"{before:.3g} ({snr_of(before):.1f} dB) -> {after:.3g} ({snr_of(after):.1f} dB)"
    if after < before:
        say(f"ncnn-quantize: {what}: error {errors}")
        return other
    say(f"ncnn-quantize: with {what} it is not nearer, error {errors}: it stays as it was")
    return module
