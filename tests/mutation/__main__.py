"""Change the source in small places, and count the changes that the nearest tests notice.

The checkout stays as it is: mutants are tested in a copy. A run that was interrupted goes on where
it was; a mutant whose result the file has is not tested again, unless its tests did not notice it
and `--again` is given. A mutant that `equivalents.py` lists changes no result and is not tested.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from .checkout import ROOT, copy_checkout
from .equivalents import reason_of
from .mutants import Mutant, sample
from .selection import FOLDERS


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m mutation", description=__doc__)
    parser.add_argument("--sample", type=int, default=400, help="mutants of all folders (400)")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (1)")
    parser.add_argument(
        "--folders",
        nargs="+",
        choices=FOLDERS,
        default=[*FOLDERS],
        metavar="FOLDER",
        help=f"mutants of the sample in these alone, of {', '.join(FOLDERS)}",
    )
    parser.add_argument(
        "--results",
        type=Path,
        default=Path("mutation.jsonl"),
        help="where results go (mutation.jsonl)",
    )
    parser.add_argument("--again", action="store_true", help="test survivors again")
    parser.add_argument("--only", default="", help="of files whose name begins so")
    args = parser.parse_args()

    part = [f"{folder}/{args.only}" for folder in args.folders]
    drawn = sample(ROOT, [*FOLDERS], args.sample, args.seed, part)
    known = read(args.results)
    reasons = {m.key: reason for m in drawn if (reason := reason_of(m, text_of(m))) is not None}
    open_ = [
        m
        for m in drawn
        if m.key not in reasons
        if m.key not in known or (args.again and known[m.key]["outcome"] == "survived")
    ]
    Random(args.seed).shuffle(open_)  # what was tested first is a sample, too
    open_.sort(key=lambda m: m.key not in known)
    print(f"{len(drawn)} mutants, {len(open_)} to be tested", flush=True)
    if open_:
        with tempfile.TemporaryDirectory(prefix="ncnn-opt-mutants-") as folder:
            copy, scratch = Path(folder, "copy"), Path(folder, "tmp")
            scratch.mkdir()
            python = copy_checkout(copy)
            work = Path(folder, "work.jsonl")
            with work.open("w", encoding="utf-8") as file:
                for m in open_:
                    diff = m.diff(text_of(m))
                    print(json.dumps({"key": m.key, "diff": diff, **vars(m)}), file=file)
            settings = {"PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": str(scratch)}
            command = [python, "-m", "mutation.trials", work, args.results.resolve()]
            subprocess.run(command, cwd=copy / "tests", env=os.environ | settings, check=True)
    known = read(args.results)
    results = [known[m.key] for m in drawn if m.key in known and m.key not in reasons]
    for m in drawn:
        if m.key in reasons:
            print(f"equivalent: {m.path}:{m.line} {m.operator}: {reasons[m.key]}")
            results.append({"outcome": "equivalent", "path": m.path})
    report(results)
    return int(any(r["outcome"] == "survived" for r in results))


def text_of(mutant: Mutant) -> str:
    """The file of a mutant without the change."""
    return (ROOT / mutant.path).read_text("utf-8")


def read(results: Path) -> dict[str, dict[str, Any]]:
    """The last result of each mutant."""
    lines = results.read_text("utf-8").splitlines() if results.exists() else []
    return {record["key"]: record for record in map(json.loads, lines)}


def report(results: list[dict[str, Any]]) -> None:
    """Print the survivors and the score of each folder."""
    for record in results:
        if record["outcome"] == "survived":
            print(f"\nsurvived: {record['key']} {record['operator']}\n{record['diff']}")
    print()
    for folder in [*FOLDERS, ""]:
        count = Counter(r["outcome"] for r in results if r["path"].startswith(folder))
        equivalent = count.pop("equivalent", 0)
        if total := sum(count.values()):
            noticed = total - count["survived"]
            others = f", {equivalent} equivalent" if equivalent else ""
            score = f"{noticed:4} of {total:4} noticed ({noticed / total:.1%})"
            print(f"{folder or 'all':32}{score}{others}")


if __name__ == "__main__":
    sys.exit(main())
