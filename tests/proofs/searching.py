"""Search for near misses: changed models of the lit tests on which a rewrite without one of its
conditions is refuted.

    python -m proofs.searching --seconds 600 --results FILE [--passes PASS…]

Run in `tests/`. `FILE` gets a line for each model on which a rewrite without a condition does
something else than with it, and one for each model on which a rewrite with all its conditions is
refuted, which is an error.
"""

import argparse
import json
import re
import signal
from collections import Counter, defaultdict
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from time import monotonic
from typing import NamedTuple

from ncnn_opt.proofs.proof import as_pass
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from .conditions import Condition
from .dropping import TABLE, known_conditions, models_of, proof_of
from .harmless import HARMLESS
from .instances import passes
from .kinds import kind_of
from .mutating import mutated
from .probing import Probe, probing

SECONDS, PROOF_SECONDS = 3.0, 12.0
"""The longest time of a rewrite and of a proof."""

MOST_SAME = 40
"""Models of a pass on which dropping a condition changes nothing, until it is tried less often."""

MOST_PROOFS = 5
"""Models of a pass on which a rewrite without a condition is proven, refused or raises."""

MOST_PAIRS = 2
"""The same of two conditions."""

MOST_CHANGES = 4
"""Changes of a model."""

CHECKED = 0.08
"""The part of the models, among those that a rewrite changes, on which it is proven itself."""


Place = tuple[int, ...]
"""The numbers of the conditions that a rewrite is tried without."""


class Model(NamedTuple):
    """A model, with its changes from the one of a lit test."""

    base: str
    changes: tuple[str, ...]
    module: ModuleOp


@contextmanager
def limited(seconds: float) -> Generator[None]:
    """Raise `TimeoutError` if the block takes long."""

    def end(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Search:
    """The search of near misses of one pass."""

    all_proofs: dict[Place, float] = defaultdict(float)
    covered: set[int] = set()

    def __init__(
        self, rewrite: str, probe: Probe, wanted: set[int], results: Path, seed: str
    ) -> None:
        self.rewrite, self.probe, self.wanted, self.results = rewrite, probe, wanted, results
        self.random = Random(f"{rewrite} {seed}")
        self.seen: set[tuple[int, bool]] = set()
        self.same: Counter[int] = Counter()
        self.proofs: dict[Place, float] = defaultdict(float)
        self.counts: Counter[str] = Counter()
        self.pass_ = as_pass(rewrite)
        self.keys = [condition.key for condition in known_conditions()]

    def run(self, seconds: float) -> None:
        """Change models until the time is over."""
        end = monotonic() + seconds
        pool: list[Model] = []
        for each in models_of(self.rewrite):
            model = Model(f"{each.file} {each.function}", (), each.module)
            if "near_misses" in each.file and self.random.random() < 0.5:
                continue
            self.visit(model)  # without its conditions in `dropping.py`
            pool.append(model)
        if not pool:
            return
        first = len(pool)
        while monotonic() < end:
            # New ones, more often.
            at = (
                self.random.randrange(len(pool))
                if self.random.random() < 0.6
                else max(0, len(pool) - 1 - int(self.random.expovariate(1 / 30)))
            )
            base = pool[at]
            for _ in range(self.random.choice((1, 1, 2))):
                found = mutated(base.module, self.random)
                self.counts["changed" if found else "refused"] += 1
                if found is not None:
                    base = Model(base.base, (*base.changes, found[0]), found[1])
            if base is pool[at]:
                continue
            if self.visit(base) and len(base.changes) < MOST_CHANGES:
                pool.append(base)
        self.counts["pool"] = len(pool) - first
        self.finish()

    def finish(self) -> None:
        """Record how often conditions were tried."""
        line = {
            "status": "end",
            "rewrite": self.rewrite,
            "passing": [self.keys[n] for n, decides in self.seen if not decides],
            "same": {self.keys[n]: count for n, count in self.same.items()},
        }
        with self.results.open("a", encoding="utf-8") as file:
            print(json.dumps(line, ensure_ascii=False), file=file)

    def visit(self, model: Model) -> bool:
        """Try a model; return whether a condition has a new result."""
        probe = self.probe
        probe.deciding.clear()
        probe.passing.clear()
        try:
            with limited(SECONDS):
                before, wanted = str(model.module), self.rewritten(model.module)
        except TimeoutError:
            self.record("slow", (), model)
            return False
        except Exception as e:
            self.record("raises", (), model, repr(e)[:300])
            return False
        deciding = set(probe.deciding)
        now = {(n, True) for n in deciding} | {(n, False) for n in probe.passing}
        is_new = not now <= self.seen
        self.seen |= now
        if wanted != before:
            self.counts["fires"] += 1
            if model.changes and self.random.random() < CHECKED:
                self.check(model)
        for number in deciding & self.wanted:
            if (
                self.proofs[number,] >= MOST_PROOFS
                or self.all_proofs[number,] >= 3 * MOST_PROOFS
                or self.same[number] > MOST_SAME
                and self.random.random() > MOST_SAME / self.same[number]
            ):
                continue
            try:
                self.drop(number, model, wanted, deciding)
            finally:
                probe.dropped = frozenset()
        return is_new

    def rewritten(self, module: ModuleOp) -> str:
        copy = module.clone()
        self.pass_.apply(Context(), copy)
        return str(copy)

    def check(self, model: Model) -> None:
        """Prove the rewrite with all its conditions."""
        status, reason = self.status(model)
        self.counts[f"own {status}"] += 1
        if status in ("refuted", "raises"):
            self.record("wrong", (), model, reason)

    def status(self, model: Model) -> tuple[str, str]:
        try:
            with limited(PROOF_SECONDS):
                found = proof_of(self.rewrite, model.module)
                return found.status.value, found.reason
        except TimeoutError:
            return "slow", ""
        except Exception as e:
            return "raises", repr(e)[:200]

    def drop(self, number: int, model: Model, wanted: str, deciding: set[int]) -> None:
        """Try the rewrite without a condition; where another one covers it, without both."""
        self.probe.deciding.clear()
        outcome = self.without((number,), model, wanted)
        if outcome is not None:
            self.note((number,), *outcome, model)
            return
        self.same[number] += 1
        if number in self.covered:
            return
        others = sorted(self.probe.deciding - deciding)
        for other in self.random.sample(others, min(2, len(others))):
            pair = (number, other)
            if self.proofs[pair] >= MOST_PAIRS:
                continue
            outcome = self.without(pair, model, wanted)
            if outcome is None:
                continue
            if outcome[0] == "refuted":
                alone = self.without((other,), model, wanted)
                if alone is not None and alone[0] == "refuted":
                    pair, outcome = (other,), alone
            self.note(pair, *outcome, model)

    def without(self, numbers: Place, model: Model, wanted: str) -> tuple[str, str] | None:
        """Return the outcome of the rewrite without conditions, and a reason; `None` if it does the
        same."""
        self.probe.dropped = frozenset(numbers)
        try:
            with limited(SECONDS):
                copy = model.module.clone()
                self.pass_.apply(Context(), copy)
                if str(copy) == wanted:
                    return None
                copy.verify()
        except TimeoutError:
            return "slow", ""
        except Exception as e:
            return "raises", repr(e)[:200]
        status, reason = self.status(model)
        if status == "refuted":
            self.probe.dropped = frozenset()
            own, own_reason = self.status(model)
            if own == "refuted":
                self.record("wrong", (), model, own_reason)
            return ("wrong" if own == "refuted" else status), f"{own}; {reason}"
        return status, reason

    def note(self, numbers: Place, status: str, reason: str, model: Model) -> None:
        weight = 0.4 if status in ("raises", "unchanged") else 1
        self.proofs[numbers] += weight
        self.all_proofs[numbers] += weight
        self.counts[status if len(numbers) == 1 else f"{status} by two"] += 1
        if status == "refuted":
            if len(numbers) == 1:
                self.wanted.discard(numbers[0])
            else:
                self.covered.add(numbers[0])
        if status == "refuted" or len(numbers) == 1:
            self.record(status, numbers, model, reason)

    def record(self, status: str, numbers: Place, model: Model, reason: str = "") -> None:
        line = {
            "status": status,
            "keys": [self.keys[n] for n in numbers],
            "rewrite": self.rewrite,
            "base": model.base,
            "changes": model.changes,
            "reason": reason,
            "text": str(model.module),
        }
        with self.results.open("a", encoding="utf-8") as file:
            print(json.dumps(line, ensure_ascii=False), file=file)


def is_worth_it(condition: Condition, outcome: str) -> bool:
    """Whether a near miss of a condition is searched for: guards of types raise without them, and
    some conditions have a reason."""
    if kind_of(condition) == "type" or condition.file.startswith("fused"):
        return False
    return not any(re.search(pattern, condition.key) for pattern in HARMLESS)


def wanted_keys(results: Path) -> set[str]:
    """The conditions without a near miss."""
    found = json.loads(TABLE.read_text("utf-8"))
    keys = {
        condition.key
        for condition in known_conditions()
        if condition.key not in found["refuted"]
        and is_worth_it(condition, found["others"].get(condition.key, "same"))
    }
    if results.exists():
        lines = map(json.loads, results.read_text("utf-8").splitlines())
        keys -= {
            line["keys"][0]
            for line in lines
            if line["status"] == "refuted" and len(line["keys"]) == 1
        }
    return keys


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m proofs.searching", description=__doc__)
    parser.add_argument("--results", type=Path, default=Path("near_misses.jsonl"))
    parser.add_argument("--seconds", type=float, default=20, help="for each pass")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--passes", nargs="+", default=passes())
    args = parser.parse_args()
    keys = wanted_keys(args.results)
    wanted = {i for i, condition in enumerate(known_conditions()) if condition.key in keys}
    for rewrite in args.passes:  # the models are read without probes
        models_of(rewrite)
    with probing(known_conditions()) as probe:
        for rewrite in args.passes:
            search = Search(rewrite, probe, wanted, args.results, args.seed)
            search.run(args.seconds)
            print(rewrite, dict(search.counts), len(wanted), flush=True)


if __name__ == "__main__":
    main()
