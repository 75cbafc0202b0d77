"""Fuzzes the readers one after the other, in a time budget, and says what came of it."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

READERS = ("param", "param.bin", "weights", "mlir")
HERE = Path(__file__).parent


def parse_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("readers", nargs="*", metavar="READER", help=f"of {', '.join(READERS)}")
    parser.add_argument("--seconds", type=float, default=60, help="for all readers together (60)")
    parser.add_argument(
        "--engine", choices=("atheris", "hypothesis"), help="atheris if it is there"
    )
    parser.add_argument("--seed", type=int, default=1, help="of all that is random (1)")
    parser.add_argument("--folder", type=Path, help="where inputs go that show a defect")
    args = parser.parse_args()
    if unknown := set(args.readers) - set(READERS):
        parser.error(f"no such reader: {', '.join(sorted(unknown))}")
    return args


def main() -> int:
    """Status 1 if something was found."""
    args = parse_arguments()
    engine = args.engine or ("atheris" if find_spec("atheris") else "hypothesis")
    readers = args.readers or READERS
    folder: Path = args.folder or Path(tempfile.mkdtemp(prefix="ncnn-opt-fuzz-"))
    folder.mkdir(parents=True, exist_ok=True)
    print(f"{engine}, {args.seconds / len(readers):.0f} s a reader; findings go to {folder}")
    print(f"{'reader':10} {'inputs':>9} {'a second':>9} {'accepted':>9} {'findings':>9}")
    failed = False
    for reader in readers:
        done = run(reader, engine, args.seconds / len(readers), args.seed, folder)
        failed |= done is None or bool(done["findings"])
        if done is None:
            print(f"{reader:10} ended by itself: see {folder / reader}.log")
            continue
        inputs, accepted, found = done["inputs"], done["accepted"], done["findings"]
        rate = inputs / max(done["seconds"], 1e-9)
        share = accepted / max(inputs, 1)
        print(f"{reader:10} {inputs:9,} {rate:9,.0f} {share:9.0%} {len(found):9}")
        for slug in found:
            print(f"    {folder / reader / slug}")
    return int(failed)


def run(reader: str, engine: str, seconds: float, seed: int, folder: Path) -> dict[str, Any] | None:
    """Fuzzes a reader in a process of its own. Returns its counts, `None` if it died."""
    counts = folder / f"{reader}.json"
    counts.unlink(missing_ok=True)
    arguments = [reader, engine, str(seconds), str(seed), str(folder)]
    with open(folder / f"{reader}.log", "wb") as log:
        result = subprocess.run(
            [sys.executable, "-m", "fuzz.worker", *arguments],
            cwd=HERE.parent,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    if result.returncode != 0 or not counts.exists():
        return None
    return json.loads(counts.read_text())


if __name__ == "__main__":
    sys.exit(main())
