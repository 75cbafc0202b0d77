"""Runs random nets before and after rewrites, as many as are asked for, and goes on after what it
finds. Status 1 if it found something."""

import argparse
import os
import sys
import tempfile
from pathlib import Path

from ..dynamic_trial import Counts, attempt
from ..runtime import Runtime
from .attempt import OTHERS
from .hunt import Hunt, progress, report
from .rewrite_proofs import PROVEN_IN_A_ROW, ProofHunt
from .sources import FAMILIES

DYNAMIC = "dynamic"
"""The family of nets that `--dynamic` makes models of any size."""


def hunt_dynamic(count: int, first_seed: int) -> int:
    """Draw so many nets of any size, and print how many results are right, refused and wrong."""
    counts, seed = Counts(), first_seed
    with Runtime() as runtime, tempfile.TemporaryDirectory() as scratch:
        while counts.nets < count:
            attempt(seed, runtime, Path(scratch), counts)
            seed += 1
    for line in counts.lines():
        print(line)
    return int(bool(counts.wrong))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m differential.hunting", description=__doc__)
    names = ", ".join(FAMILIES)
    parser.add_argument(
        "families", nargs="*", metavar="FAMILY", help=f"of {names}; or, alone, {DYNAMIC}"
    )
    parser.add_argument(
        "--batches",
        action="store_true",
        help="all other inputs than those of the net are batches of blobs",
    )
    parser.add_argument(
        "--proofs", action="store_true", help="prove each rewrite, instead of running the nets"
    )
    parser.add_argument("--nets", type=int, default=1000, help="how many (1000)")
    parser.add_argument("--seed", type=int, default=1, help="of the first batch (1)")
    parser.add_argument("--folder", type=Path, help="where nets go that show a defect")
    args = parser.parse_args()
    if args.families == [DYNAMIC]:
        return hunt_dynamic(args.nets, args.seed)
    if unknown := set(args.families) - FAMILIES.keys():
        parser.error(f"no such family: {', '.join(sorted(unknown))}")
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder = args.folder or Path(tempfile.mkdtemp(prefix="ncnn-opt-hunt-"))
    folder.mkdir(parents=True, exist_ok=True)
    with Runtime() as runtime, tempfile.TemporaryDirectory(dir=memory) as scratch:
        kind = ProofHunt if args.proofs else Hunt
        hunt = kind(runtime, Path(scratch), folder, tuple(args.families or FAMILIES))
        if args.proofs:
            hunt.batch = PROVEN_IN_A_ROW
        if args.batches:
            hunt.others, hunt.batches = 0, OTHERS
        try:
            progress(hunt, args.nets, args.seed, lambda line: print(line, flush=True))
        except KeyboardInterrupt:
            print("interrupted")
    for line in report(hunt):
        print(line)
    return int(bool(hunt.found))


if __name__ == "__main__":
    sys.exit(main())
