"""The measurements that options of `ncnn-quantize` ask for."""

import argparse
import os
from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import ModuleOp

from ...driver.errors import UsageError
from ...quantization.blob_errors import snr_of
from ...quantization.evaluator import Agreement, Bench, spread
from ...quantization.layer_timing import Clock, LayerTimes
from ...quantization.search import Found
from ...targets.files import OutputFiles
from ..messages import print_result, say
from ..progress import Progress
from . import proof
from .proof import Proof


def chosen(args: argparse.Namespace, total: int) -> list[int]:
    """The samples by which models are measured: those that are held back from calibration, or some
    of all."""
    held = args.held_back or 0
    if held >= total > 0:
        raise UsageError(f"--held-back {held}: there are {total} samples")
    places = range(total - held, total) if held else range(total)
    return [places[i] for i in spread(len(places), args.measured)]


def read_classes(path: str | None, total: int) -> list[int] | None:
    """The number of the right class of each sample. Raises `UsageError`."""
    if path is None:
        return None
    with open(path, "rb") as f:
        words = f.read().decode(errors="replace").split()
    if not all(word.isdecimal() for word in words):
        odd = next(word for word in words if not word.isdecimal())
        raise UsageError(f"{path}: '{odd}' is no number of a class")
    if len(words) < total:
        raise UsageError(f"{path}: {len(words)} classes for {total} samples")
    return [int(word) for word in words]


def wants_proof(args: argparse.Namespace) -> bool:
    """Whether something is to be measured for others to see."""
    return bool(args.measure or args.json or args.html or args.classes or args.latency)


def show(title: str, args: argparse.Namespace, found: Proof) -> None:
    """Prints and writes what was measured."""
    if args.json is not None or args.html is not None:
        with OutputFiles() as files:
            if args.json is not None:
                files.create(args.json, "w").write(proof.as_json(found))
            if args.html is not None:
                files.create(args.html, "w").write(proof.page(title, found))
    print_result(proof.text(found) if args.measure else "\n".join(proof.sentences(found)))


def limit_of(args: argparse.Namespace) -> float | None:
    """The largest error that is allowed, if one is."""
    if args.max_error is not None and args.min_snr is not None:
        raise UsageError("--max-error and --min-snr say the same: one of them is enough")
    return args.max_error if args.min_snr is None else 10 ** (-args.min_snr / 10)


def tell_search(found: Found, most: float, labels: Mapping[str, str]) -> None:
    """Says which layers stay float, and why."""
    before = f"{found.all_int8:.3g} ({snr_of(found.all_int8):.1f} dB)"
    if not found.kept:
        say(f"ncnn-quantize: all in int8, error {before}")
        return
    for kept in found.kept:
        alone = f"int8 in it alone makes an error of {kept.alone:.3g}"
        say(f"ncnn-quantize: {labels[kept.layer]} stays float: {alone}")
    after = f"{found.error:.3g} ({snr_of(found.error):.1f} dB)"
    part = found.float_macs
    share = "" if part is None else f" with {part:.1%} of the multiplications"
    say(
        f"ncnn-quantize: {len(found.kept)} layers in float{share}, error {before} -> {after}, "
        f"at most {most:.3g}; {found.measured} models were measured"
    )


def prove(
    measuring: Bench, args: argparse.Namespace, module: ModuleOp, classes: Sequence[int] | None
) -> Proof:
    """Measures what is to be seen of an int8 model, and shows it."""
    with Progress("measuring", len(measuring.chosen)) as progress:
        costs = measuring.measure(module, progress.update)
    timing = clock(measuring, args).time(module) if args.latency else None
    found = Proof(costs, agreement(measuring, module, args, classes), timing)
    show(os.path.basename(args.model), args, found)  # where it is, is nobody's business
    return found


def clock(measuring: Bench, args: argparse.Namespace) -> Clock:
    """What measures latencies, with the first of the samples."""
    first = measuring.chosen[0]
    return Clock(measuring.prepared, measuring.samples.load(first), args.repeat)


def tell_tuned(kept: Mapping[str, LayerTimes], labels: Mapping[str, str]) -> None:
    """Says which layers stay float because they are faster so."""
    for name, times in kept.items():
        took = f"{times.float_ms:.3f} ms, in int8 {times.int8_ms:.3f}"
        say(f"ncnn-quantize: {labels[name]} stays float: {took}")
    if not kept:
        say("ncnn-quantize: the model is not faster with any layer in float")


def agreement(
    bench: Bench, module: ModuleOp, args: argparse.Namespace, classes: Sequence[int] | None
) -> Agreement | None:
    """How often the largest score is where it was."""
    found = bench.agreement(module, classes)
    if found is None and args.classes is not None:
        raise UsageError("--classes is for models of one output that is a row of scores")
    return found
