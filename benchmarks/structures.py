"""The gain for each structure that has a rewrite: small generated nets before and after `-O` and
`-O --fix-shapes`, on this machine."""

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ncnn_opt.paired_times.ratio import Ratio

from .inputs import inputs_for
from .latency import layers_in
from .measuring import TOOL, print_table
from .models.structures import STRUCTURES, Structure
from .models.writer import Writer
from .timing import Timing, cell_of, compare, counts, title, unit

ORIGINAL, ANY, FIXED = range(3)

SHORT = 2 / 3
"""A gain of less than this fraction of the gain in the table is too small."""


@dataclass(frozen=True)
class Row:
    """The result for one structure."""

    structure: Structure
    layers: str
    fired: bool
    timing: Timing

    def ratio(self, model: int) -> Ratio:
        """Return the time of a result relative to the original."""
        return self.timing.ratio(model, ORIGINAL)

    def falls_short(self) -> bool:
        """Whether the gain is significantly smaller than in the table."""
        return 1 - self.ratio(ANY).low < SHORT * (1 - self.structure.ratio)

    def cells(self) -> list[str]:
        """Return the row of the table."""
        by = self.structure.rewritten_by + ("" if self.fired else ": not done")
        tune = f" (--tune {self.structure.tune})" if self.structure.tune else ""
        milliseconds = f"{self.timing.milliseconds(ORIGINAL):.2f}"
        ratios = [cell_of(self.ratio(model)) for model in (ANY, FIXED)]
        known = f"{self.structure.ratio:.2f}"
        return [self.structure.name, by + tune, self.layers, milliseconds, known, *ratios]


def measure(folder: Path, seconds: float) -> None:
    """Print the table, and the structures with a smaller gain than expected."""
    rows = [_measure(structure, folder, seconds) for structure in STRUCTURES]
    head = ["structure", "by", "layers", unit(), "in the table", "-O", "--fix-shapes"]
    print_table(title(" to the original's, one thread"), head, [row.cells() for row in rows])
    idle = [row.structure.name for row in rows if not row.fired]
    print(f"\nNot rewritten: {', '.join(idle) or 'none'}")
    if not counts():
        short = [row.structure.name for row in rows if row.falls_short()]
        print(f"\nLess than two thirds of the gain in the table: {', '.join(short) or 'none'}")
    sys.stdout.flush()


def _measure(structure: Structure, folder: Path, seconds: float) -> Row:
    print(f"{structure.name} …", file=sys.stderr)
    models = [folder / f"{name}.param" for name in ("original", "any", "fixed")]
    writer = Writer(models[ORIGINAL])
    structure.make(writer)
    writer.close()
    inputs = inputs_for(models[ORIGINAL])
    tune = ["--tune", structure.tune] if structure.tune else []
    promise = [
        word
        for name, value in inputs.items()
        for word in ("--fix-shapes", f"{name}={','.join(map(str, value.shape))}")
    ]
    done = [
        _optimize(models[ORIGINAL], result, [*tune, *options])
        for result, options in ((models[ANY], []), (models[FIXED], promise))
    ]
    layers = " → ".join(layers_in(model) for model in models)
    fired = any(f"remark: {structure.rewritten_by}:" in line for line in done)
    return Row(structure, layers, fired, compare(models, inputs, folder, seconds))


def _optimize(model: Path, result: Path, options: Sequence[str]) -> str:
    """Run `-O` and return its remarks."""
    command = [TOOL, "-O", "--remarks", *options, model, "-o", result]
    return subprocess.run(command, check=True, capture_output=True, text=True).stderr
