"""The gain for users: the time of a model in the ncnn runtime before optimization, after
ncnnoptimize, and after our optimization, measured as `timing.py` describes.

Our result is the output of `ncnn-optimize`: `-O` with shape hints, if the file has input shapes.
ncnnoptimize also writes hints. The runtime uses them to select algorithms for some convolutions,
which would otherwise hide the effect of rewrites.
"""

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ncnn_opt.driver.errors import USER_ERRORS, describe
from ncnn_opt.formats.file_names import weights_beside
from ncnn_opt.paired_times.ratio import Ratio

from . import taking_apart
from .inputs import inputs_for, shapes_for
from .measuring import TOOL, print_table
from .models import CLASSIC
from .timing import PROCESSES, DoesNotRun, Timing, cell_of, compare, interval_title, is_above

ORIGINAL, COPY, OURS, THEIRS = range(4)
"""The indices of the timed models. The copy is the original again: its deviation from the original
is noise."""

OPTIMIZE = TOOL.with_name("ncnn-optimize")

APART = ", apart"
"""The suffix of the name of a model that was taken apart."""


@dataclass(frozen=True)
class Options:
    """The options of the measurement."""

    ncnnoptimize: Path | None = None
    models: Sequence[Path] = ()
    """Additional models."""
    apart: Sequence[Path] = ()
    """Models that are taken apart first."""
    shapes: Sequence[str] = ()
    """Shapes of inputs, in the format of `shapes_for`."""
    seconds: float = 1.0
    """The time for each process."""
    own: bool = True
    """Whether our own models are measured, too."""


@dataclass
class Row:
    """The result for one model."""

    name: str
    layers: list[str] = field(default_factory=list[str])
    """The layers of the original, of our result and of ncnnoptimize's."""
    timing: Timing | None = None
    theirs: bool = False
    """Whether ncnnoptimize's result was timed, too."""
    failure: str = ""
    """The reason for a missing figure."""

    def against_theirs(self) -> Ratio | None:
        """Return the time of our result divided by the time of ncnnoptimize's."""
        return self.timing.ratio(OURS, THEIRS) if self.timing is not None and self.theirs else None

    def slower(self) -> list[str]:
        """Return the models that are faster than our result, beyond the noise."""
        found: list[str] = []
        if self.timing is not None and is_above(ratio := self.timing.ratio(OURS, ORIGINAL)):
            found.append(f"{self.name}: {cell_of(ratio)} times the original")
        if (ratio := self.against_theirs()) is not None and is_above(ratio):
            found.append(f"{self.name}: {cell_of(ratio)} times ncnnoptimize's")
        return found

    def cells(self, peer: bool) -> list[str]:
        """Return the row of the table."""
        if self.timing is None:
            return [self.name, *[""] * (8 if peer else 5)]
        layers = [" → ".join(self.layers[:2])]
        times = [f"{self.timing.milliseconds(i):.3f}" for i in (ORIGINAL, OURS)]
        theirs = ["", "", ""] if peer else []
        if (ratio := self.against_theirs()) is not None:
            milliseconds = f"{self.timing.milliseconds(THEIRS):.3f}"
            theirs = [self.layers[2], milliseconds, cell_of(ratio)]
        gain, noise = self.timing.ratio(ORIGINAL, OURS), self.timing.ratio(COPY, ORIGINAL)
        return [self.name, *layers, *times, cell_of(gain), *theirs, cell_of(noise)]


def measure(folder: Path, options: Options) -> None:
    """Print the table, the failures, and the models that become slower beyond the noise."""
    sources = list(_sources(options))
    names = [name for name, _ in sources]
    rows: list[Row] = []
    for name, make in sources:
        print(f"{name} …", file=sys.stderr)
        with tempfile.TemporaryDirectory(dir=folder) as own:
            rows.append(_measure(name, make, Path(own), options, names))
    peer = options.ncnnoptimize is not None
    head = ["model", "layers", "ms", "ours ms", "gain"]
    head += ["its layers", "ncnnoptimize ms", "ours to it"] if peer else []
    print_table(
        f"Latency in ncnn, one thread: {interval_title(PROCESSES)}",
        [*head, "noise"],
        [row.cells(peer) for row in rows],
    )
    _print_list("Missing", [f"{row.name}: {row.failure}" for row in rows if row.failure])
    _print_list("Slower beyond the noise", [line for row in rows for line in row.slower()])


def _print_list(title: str, items: Sequence[str]) -> None:
    print(f"\n{title}:" + "".join(f"\n- {item}" for item in items or ["none"]), flush=True)


Make = Callable[[Path], Path]
"""A function that writes a model to a folder."""


def _sources(options: Options) -> Iterator[tuple[str, Make]]:
    """Yield the models by name."""
    if options.own:
        for name, make in CLASSIC.items():
            yield name, lambda folder, make=make, name=name: make(folder / f"{name}.param")
    for path in options.models:
        yield stem_of(path), lambda folder, path=path: as_text(path, folder)
    for path in options.apart:
        yield f"{stem_of(path)}{APART}", lambda folder, path=path: _apart(path, folder)


def stem_of(path: Path) -> str:
    """Return the name of a model."""
    return path.name.removesuffix(".bin").removesuffix(".param")


def as_text(path: Path, folder: Path) -> Path:
    """Write a model as `.param` with its weights beside it; random weights if there are none."""
    there = Path(weights_beside(str(path))).exists()
    if there and path.suffix == ".param":
        return path
    result = folder / f"{stem_of(path)}.param"
    run_tool([TOOL, path, *([] if there else ["--weights", "random"]), "-o", result])
    return result


def _apart(path: Path, folder: Path) -> Path:
    result = folder / f"{stem_of(path)}.param"
    taking_apart.rewrite(path, result)
    return result


def _measure(name: str, make: Make, folder: Path, options: Options, names: Sequence[str]) -> Row:
    row = Row(name)
    try:
        shapes = shapes_for(_model_name(name), options.shapes, list(map(_model_name, names)))
        model = shapes.write_into(make(folder), folder / "original.param")
        inputs = inputs_for(model)
        paths = [model, model, folder / "ours.param"]
        run_tool([OPTIMIZE, *_pair(model), *_pair(paths[OURS]), "0"])
    except (*USER_ERRORS, Crash) as e:
        row.failure = describe(e, name).removeprefix(f"{name}: ")
        return row
    if options.ncnnoptimize is not None:
        paths.append(folder / "theirs.param")
        try:
            run_tool([options.ncnnoptimize, *_pair(model), *_pair(paths[THEIRS]), "0"])
        except Crash as e:
            row.failure = str(e)
            paths.pop()
    _time(row, paths, lambda first: compare(paths, inputs, folder, options.seconds, first))
    return row


def _time(row: Row, paths: list[Path], timing: Callable[[int], Timing]) -> None:
    """Fill a row. If the models do not run, omit ncnnoptimize's result."""
    while row.timing is None:
        try:
            row.timing = timing(0)
        except DoesNotRun as e:
            row.failure = f"does not run: {e}"
            if len(paths) <= THEIRS:
                return
            paths.pop()
    row.theirs = len(paths) > THEIRS
    row.layers = [layers_in(path) for i, path in enumerate(paths) if i != COPY]
    if row.slower():  # measure a suspect twice, to exclude chance
        row.timing = Timing([*row.timing.processes, *timing(PROCESSES).processes])


class Crash(Exception):
    """A tool failed."""


def run_tool(command: Sequence[str | Path]) -> None:
    """Run a command. Raise `Crash`."""
    done = subprocess.run(list(command), capture_output=True, text=True, errors="replace")
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [""]
        raise Crash(f"{Path(command[0]).name} fails ({done.returncode}): {lines[-1][-100:]}")


def _model_name(name: str) -> str:
    return name.removesuffix(APART)


def _pair(param: Path) -> tuple[Path, Path]:
    return param, param.with_suffix(".bin")


def layers_in(param: Path) -> str:
    """Return the number of layers of a model."""
    with param.open() as lines:
        next(lines)
        return next(lines).split()[0]
