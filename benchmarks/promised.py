"""The gain of specialization to static shapes: the time of models after `-O`, and after `-O` with
`--fix-shapes`, relative to the original models, with geometric means."""

import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import geometric_mean

from ncnn_opt.driver.errors import USER_ERRORS, describe
from ncnn_opt.driver.input_forms import take_input_shapes
from ncnn_opt.driver.model_files import read_model, write_model
from ncnn_opt.driver.sidecar_files import read_pnnx
from ncnn_opt.formats.file_names import weights_beside
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.paired_times.ratio import Ratio
from ncnn_opt.targets import Output

from .emulated import difference
from .inputs import inputs_for, shapes_for
from .latency import Crash, as_text, layers_in, run_tool, stem_of
from .measuring import TOOL, print_table
from .timing import DoesNotRun, Timing, cell_of, compare, counts, is_above, title, unit

ORIGINAL, COPY, ANY, FIXED = range(4)
"""The indices of the timed models. The copy is the original again: its deviation from the original
is noise."""

PNNX = ".pnnx.param"


@dataclass
class Row:
    """The result for one model."""

    name: str
    layers: list[str] = field(default_factory=list[str])
    """The layers of the original, and of both results."""
    timing: Timing | None = None
    failure: str = ""
    """The reason, if there is no result."""

    def ratio(self, model: int) -> Ratio:
        """Return the time of a model relative to the original."""
        assert self.timing is not None
        return self.timing.ratio(model, ORIGINAL)

    def cells(self) -> list[str]:
        """Return the row of the table."""
        if self.timing is None:
            return [self.name, *[""] * 5]
        ratios = [cell_of(self.ratio(model)) for model in (ANY, FIXED)]
        milliseconds = f"{self.timing.milliseconds(ORIGINAL):.2f}"
        return [self.name, " → ".join(self.layers), milliseconds, *ratios, self._noise()]

    def _noise(self) -> str:
        """Return the copy's relative time; for instruction counts, which have no noise, the
        difference of the outputs."""
        assert self.timing is not None
        if not self.timing.counts:
            return cell_of(self.ratio(COPY))
        apart = max(difference(self.timing.counts, model, ORIGINAL) for model in (ANY, FIXED))
        return f"{apart:.0e}"


def measure(folder: Path, paths: Sequence[Path], shapes: Sequence[str], seconds: float) -> None:
    """Print the table, the means and the failures, for all models in files and folders. The input
    shapes come from options, from the file (see `shapes_for`), or from the `.pnnx.param` beside
    it."""
    models = list(models_in(paths))
    names = [stem_of(path) for path in models]
    rows: list[Row] = []
    for name, path in zip(names, models, strict=True):
        print(f"{name} …", file=sys.stderr)
        with tempfile.TemporaryDirectory(dir=folder) as own:
            rows.append(_measure(Row(name), path, Path(own), shapes, names, seconds))
        print("  ", *rows[-1].cells()[1:], rows[-1].failure, file=sys.stderr)
    last = "outputs differ by" if counts() else "noise"
    print_table(
        title(" to the original's, one thread"),
        ["model", "layers: as it was, -O, --fix-shapes", unit(), "-O", "--fix-shapes", last],
        [row.cells() for row in rows],
    )
    timed = [row for row in rows if row.timing is not None]
    for what, model in (("-O", ANY), ("-O --fix-shapes", FIXED), ("the original itself", COPY)):
        if timed:
            mean = geometric_mean(row.ratio(model).value for row in timed)
            slower = [row.name for row in timed if is_above(row.ratio(model))]
            word = "more by over 3 %" if counts() else "slower beyond the noise"
            beyond = f"; {word}: {', '.join(slower) or 'none'}"
            print(f"\nGeometric mean of {len(timed)} models, {what}: {mean:.3f}{beyond}")
    for row in rows:
        if row.failure:
            print(f"\n{row.name}: {row.failure}")
    sys.stdout.flush()


def models_in(paths: Sequence[Path]) -> Iterator[Path]:
    """Yield the models in files and folders."""
    for path in paths:
        inside = sorted(path.glob("*.param")) if path.is_dir() else [path]
        yield from (each for each in inside if not each.name.endswith(PNNX))


def _measure(
    row: Row,
    path: Path,
    folder: Path,
    shapes: Sequence[str],
    names: Sequence[str],
    seconds: float,
) -> Row:
    try:
        model = repaired_model(path, folder)
        model = shapes_for(row.name, shapes, names).write_into(model, folder / "original.param")
        inputs = inputs_for(model)
        results = [folder / "any.param", folder / "fixed.param"]
        fixed = [
            word
            for name, value in inputs.items()
            for word in ("--fix-shapes", f"{name}={','.join(map(str, value.shape))}")
        ]
        run_tool([TOOL, "-O", model, "-o", results[0]])
        run_tool([TOOL, "-O", model, *fixed, "-o", results[1]])
        row.timing = compare([model, model, *results], inputs, folder, seconds)
        row.layers = [layers_in(each) for each in (model, *results)]
    except DoesNotRun as e:
        row.failure = f"does not run: {e}"
    except (*USER_ERRORS, Crash) as e:
        row.failure = describe(e, row.name).removeprefix(f"{row.name}: ")
    return row


def repaired_model(path: Path, folder: Path) -> Path:
    """Write a model with the facts in the `.pnnx.param` beside it: the input shapes, and the layers
    that the converter did not convert."""
    pnnx = path.with_name(f"{stem_of(path).removesuffix('.ncnn')}{PNNX}")
    graph = read_pnnx(str(pnnx)).graph if pnnx.exists() else None
    if graph is None:
        return as_text(path, folder)
    repaired, result = folder / "repaired.param", folder / "result.param"
    weights = [] if Path(weights_beside(str(path))).exists() else ["--weights", "random"]
    run_tool([TOOL, path, *weights, "--pnnx", pnnx, "-o", repaired])
    module = read_model(str(repaired), ReadOptions()).module
    take_input_shapes(module, graph)
    write_model(module, Output(str(result)))
    return result
