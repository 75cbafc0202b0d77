"""Time and memory for models of 100 MB and more, compared with ncnnoptimize and `cp`; and for a
sparse model of 10 GB."""

import shutil
from pathlib import Path

from .measuring import TOOL, cost, print_table
from .models import LARGE, decoder


def measure(folder: Path, ncnnoptimize: Path | None, others: list[Path]) -> None:
    """Print the tables. `others` are additional models."""
    rows: list[list[str]] = []
    for name, make in LARGE.items():
        model = make(folder / f"{name}.param")
        rows.append(_row(name, model, folder, ncnnoptimize))
        for path in (model, model.with_suffix(".bin")):
            path.unlink()
    rows += [_row(model.stem, model, folder, ncnnoptimize) for model in others]
    head = ["model", "MB", "-O s", "-O MB", "cp s"]
    if ncnnoptimize is not None:
        head += ["ncnnoptimize s", "its MB", "time ratio", "memory ratio"]
    print_table("Large models (-O; ratios to ncnnoptimize in the same run)", head, rows)
    _sparse(folder)


def _row(name: str, model: Path, folder: Path, ncnnoptimize: Path | None) -> list[str]:
    weights, out = model.with_suffix(".bin"), folder / "out.param"
    size = weights.stat().st_size / 1e6
    # Each output is a new file, as for users: replacing a large file takes additional time.
    ours = _fresh([TOOL, "-O", model, "-o", out], out)
    copy = _fresh(["cp", weights, out.with_suffix(".bin")], out)
    row = [name, f"{size:,.0f}", f"{ours[0]:.2f}", f"{ours[1]:.0f}", f"{copy[0]:.2f}"]
    if ncnnoptimize is None:
        return row
    theirs = _fresh([ncnnoptimize, model, weights, out, out.with_suffix(".bin"), "0"], out)
    ratios = [ours[i] / theirs[i] for i in (0, 1)]
    return [*row, f"{theirs[0]:.2f}", f"{theirs[1]:.0f}", *(f"{ratio:.2f}" for ratio in ratios)]


def _fresh(command: list[str | Path], out: Path, runs: int = 3) -> tuple[float, float]:
    """Return the median time in seconds and the memory in MB of a command that writes a new output
    each time."""
    took: list[tuple[float, float]] = []
    for _ in range(runs):
        for path in (out, out.with_suffix(".bin")):
            path.unlink(missing_ok=True)
        once = cost(command, runs=1)
        took.append((once.seconds, once.megabytes))
    return sorted(s for s, _ in took)[runs // 2], max(mb for _, mb in took)


def _sparse(folder: Path) -> None:
    model = decoder(folder / "sparse.param", blocks=10, sparse=True, width=4096)
    weights, out = model.with_suffix(".bin"), folder / "out.param"
    state = weights.stat()
    if state.st_blocks * 512 > state.st_size // 2:
        print("\n(no sparse files here)")
        return
    seconds, megabytes = _fresh([TOOL, "-O", model, "-o", out], out, runs=1)
    rows = [[f"{state.st_size / 1e9:.1f} GB", f"{seconds:.2f}", f"{megabytes:.0f}"]]
    print_table("A sparse model", ["size", "s", "MB"], rows)
    for path in (model, weights, out, out.with_suffix(".bin")):
        path.unlink()


def room(folder: Path) -> bool:
    """Whether the disk has room for the largest model and two copies."""
    return shutil.disk_usage(folder).free > 6_000_000_000
