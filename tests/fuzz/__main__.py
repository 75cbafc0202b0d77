"""Fuzzes the readers one after the other, in a time budget, and says what came of it."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

READERS = ("param", "param.bin", "weights", "mlir")
HERE = Path(__file__).parent

ATHERIS_SECONDS = 12
"""It takes some seconds to begin: for less than these, Hypothesis makes the inputs."""

INTERRUPTED = 130
"""The status after Ctrl-C, as of shells."""


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
    """Status 1 if something was found, 130 after Ctrl-C."""
    args = parse_arguments()
    readers = args.readers or READERS
    seconds = args.seconds / len(readers)
    engine = args.engine or ("atheris" if find_spec("atheris") else "hypothesis")
    if args.engine is None and seconds < ATHERIS_SECONDS:
        engine = "hypothesis"  # the other one takes that long to begin
    folder: Path = args.folder or Path(tempfile.mkdtemp(prefix="ncnn-opt-fuzz-"))
    folder.mkdir(parents=True, exist_ok=True)
    print(f"{engine}, {seconds:.0f} s a reader; findings go to {folder}")
    print(
        f"{'reader':10} {'inputs':>9} {'a second':>9} {'accepted':>9} {'findings':>9}", flush=True
    )
    failed = False
    for reader in readers:
        worker = Worker(reader, engine, seconds, args.seed, folder)
        end = worker.run()
        row = Row.of(reader, folder)
        print(row.text(), flush=True)
        for slug in row.findings:
            print(f"    {folder / reader / slug}", flush=True)
        if end == INTERRUPTED:
            print("interrupted", flush=True)
            return INTERRUPTED
        if end != 0:
            print(f"    ended by itself: see {worker.log} and the input beside it", flush=True)
        failed |= end != 0 or bool(row.findings)
    return int(failed)


@dataclass(frozen=True)
class Row:
    """What came of a reader so far."""

    reader: str
    inputs: int = 0
    accepted: int = 0
    seconds: float = 0.0
    findings: tuple[str, ...] = ()

    @staticmethod
    def of(reader: str, folder: Path) -> "Row":
        """What a worker has written down."""
        try:
            counts: dict[str, Any] = json.loads((folder / f"{reader}.json").read_text())
        except FileNotFoundError:
            return Row(reader)
        counts["findings"] = tuple(counts["findings"])
        return Row(reader, **counts)

    def text(self) -> str:
        """A line of the table."""
        rate = self.inputs / max(self.seconds, 1e-9)
        share = self.accepted / max(self.inputs, 1)
        found = len(self.findings)
        return f"{self.reader:10} {self.inputs:9,} {rate:9,.0f} {share:9.0%} {found:9}"


class Worker:
    """Fuzzes a reader in a process of its own, and shows how far it is on a terminal."""

    def __init__(self, reader: str, engine: str, seconds: float, seed: int, folder: Path) -> None:
        self.reader = reader
        self.seconds = seconds
        self.folder = folder
        self.log = folder / f"{reader}.log"
        self._arguments = [reader, engine, str(seconds), str(seed), str(folder)]

    def run(self) -> int:
        """The status it ends with, or `INTERRUPTED`."""
        (self.folder / f"{self.reader}.json").unlink(missing_ok=True)
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        prefix = "ncnn-opt-fuzz-"
        with tempfile.TemporaryDirectory(prefix=prefix, dir=memory) as scratch:
            with open(self.log, "wb") as log:
                process = subprocess.Popen(
                    [sys.executable, "-m", "fuzz.worker", *self._arguments],
                    cwd=HERE.parent,
                    env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "TMPDIR": scratch},
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    process_group=0,  # Ctrl-C is for this process alone
                )
            try:
                status = self._watch(process)
            except KeyboardInterrupt:
                return INTERRUPTED
            finally:
                process.kill()
                process.wait()
                self._show("")
            if status != 0:
                for file in Path(scratch).rglob("model.*"):  # the input that it has ended with
                    shutil.copy(file, self.folder / f"{self.reader}-last-{file.name}")
            return status

    def _watch(self, process: "subprocess.Popen[bytes]") -> int:
        begin = time.monotonic()
        while True:
            try:
                return process.wait(0.5)
            except subprocess.TimeoutExpired:
                left = max(self.seconds - (time.monotonic() - begin), 0)
                self._show(f"{Row.of(self.reader, self.folder).text()}   {left:.0f} s left")

    def _show(self, text: str) -> None:
        if sys.stdout.isatty():
            print(f"\r{text}\x1b[K", end="", flush=True)


if __name__ == "__main__":
    sys.exit(main())
