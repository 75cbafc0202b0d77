"""Search, for each condition of our rewrites, a model on which the rewrite without it is refuted.

    python -m proofs.dropping            print the outcomes
    python -m proofs.dropping --write    also write them to dropped_conditions.json, and their
                                         numbers by kind to docs/proofs.md
    python -m proofs.dropping --new --write --passes PASS…
                                         search for the conditions that are not in that file

Run in `tests/`. The outcomes are kept in `--results` (dropped.jsonl), and a run goes on where the
last one was interrupted. It takes about half an hour; `--variants` also tries other extents, ranks
and parameters of the models, which takes hours.
"""

import argparse
import json
import signal
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ncnn_opt.proofs import Proof, Status, prove
from ncnn_opt.proofs.proof import as_pass
from ncnn_opt.transforms.rewriting.passes import PASSES
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from .conditions import FOLDER, Condition, conditions
from .harmless import reason_of
from .instances import Instance, instances, passes
from .kinds import counts, rows
from .near_misses import stored
from .probing import probing
from .table import PAGE
from .variants import variants

MOST_TRIES = 3
"""The models of a pass on which a rewrite without a condition is proven or refuted."""

MOST_PASSES = 4
"""The passes that are changed by dropping a condition and tried."""

SECONDS = 30
"""The longest time of a proof in the search."""

TABLE = Path(__file__).with_name("dropped_conditions.json")

KINDS_HEAD = "| condition about | all | refuted | covered | raises | never | same | others |\n"
"""The head of the table of kinds; a line below it separates it from the rows."""

LISTS = ("__init__.py", "patterns.py")
"""Files without rewrites."""


class Outcome(NamedTuple):
    """What a rewrite without a condition does to a model."""

    status: str
    """The status of its proof, `raises` or `same`: the result has not changed."""
    rewrite: str
    file: str
    model: str


ORDER = ("refuted", "proven", "checked", "approximate", "unsupported", "slow", "raises", "same")
"""The words for outcomes; of several the first one counts."""


@cache
def models_of(rewrite: str) -> list[Instance]:
    """The models of a pass in the lit tests, near misses first, and the stored near misses."""
    return [*instances(rewrite, kept=True), *instances(rewrite), *stored(rewrite)]


def model_named(rewrite: str, file: str, name: str) -> Instance:
    """Return a model, or a variant of one. Raises `KeyError`."""
    base = name.partition(" ")[0]
    for each in models_of(rewrite):
        if (each.file, each.function) == (file, base):
            for found in (each, *(variants(each) if base != name else ())):
                if found.function == name:
                    return found
    raise KeyError(name)


def files() -> list[Path]:
    """The files with patterns and their helpers."""
    return sorted(path for path in FOLDER.rglob("*.py") if path.name not in LISTS)


@cache
def known_conditions() -> list[Condition]:
    """All conditions."""
    return [condition for path in files() for condition in conditions(path)]


def rewritten(rewrite: str, model: Instance) -> ModuleOp:
    """Return a model after a pass."""
    module = model.module.clone()
    as_pass(rewrite).apply(Context(), module)
    return module


def outcome_of(rewrite: str, model: Instance, wanted: str) -> Outcome:
    """Return what a rewrite without a condition does to a model, which becomes `wanted` with it."""
    try:
        with limited():
            found = rewritten(rewrite, model)
            status = "same"
            if str(found) != wanted:
                found.verify()
                status = proof_of(rewrite, model.module).status.value
    except TimeoutError:
        status = "slow"
    except Exception:
        status = "raises"
    if status == Status.UNCHANGED.value:
        status = "same"
    return Outcome(status, rewrite, model.file, model.function)


def proof_of(rewrite: str, module: ModuleOp) -> Proof:
    """Return a quick proof, if that decides; some values of the weights hide what others show."""
    proof = prove(rewrite, module, trials=1)
    return prove(rewrite, module, seed=1, trials=6) if proof.status is Status.CHECKED else proof


@contextmanager
def limited() -> Generator[None]:
    """Raise `TimeoutError` if the block takes long: a rewrite may never end."""

    def end(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def outcomes(
    rewrite: str, models: Sequence[Instance], is_known: Callable[[str], bool]
) -> Iterator[tuple[str, Outcome]]:
    """Yield the outcomes of the conditions that decide something for the models of a pass, but for
    known ones."""
    found: dict[int, list[tuple[Instance, str]]] = {}
    with probing(known_conditions()) as probe:
        for model in models:
            probe.deciding.clear()
            wanted = str(rewritten(rewrite, model))
            for number in probe.deciding:
                found.setdefault(number, []).append((model, wanted))
        for number, pairs in sorted(found.items()):
            key = known_conditions()[number].key
            if not is_known(key):
                with probe.without(number):
                    yield key, best(outcomes_of(rewrite, pairs))


def outcomes_of(rewrite: str, pairs: Sequence[tuple[Instance, str]]) -> Iterator[Outcome]:
    """Yield the outcomes of a rewrite without a condition, until it is refuted."""
    tries = 0
    for model, wanted in pairs:
        outcome = outcome_of(rewrite, model, wanted)
        yield outcome
        tries += outcome.status not in ("same", "raises")
        if outcome.status == "refuted" or tries >= MOST_TRIES:
            return


def best(outcomes: Iterable[Outcome]) -> Outcome:
    """Return the outcome that counts."""
    return min(outcomes, key=lambda each: ORDER.index(each.status))


class Results:
    """The outcomes of earlier runs and of this one, in a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.best: dict[str, Outcome] = {}
        self.tries: Counter[str] = Counter()
        """The passes that are changed by dropping a condition."""
        self.done: set[tuple[str, bool]] = set()
        """The passes whose models are done, or also their variants."""
        if path.exists():
            for line in path.read_text("utf-8").splitlines():
                self._take(*json.loads(line))

    def add(self, key: str, *fields: Any) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            print(json.dumps([key, *fields], ensure_ascii=False), file=file)
        self._take(key, *fields)

    def _take(self, key: str, *fields: Any) -> None:
        if len(fields) == 1:
            self.done.add((key, fields[0]))
            return
        outcome = Outcome(*fields)
        self.tries[key] += outcome.status != "same"
        self.best[key] = best((self.best.get(key, outcome), outcome))

    @property
    def refuted(self) -> set[str]:
        return {key for key, each in self.best.items() if each.status == "refuted"}

    def is_known(self, key: str) -> bool:
        """Whether a condition needs no further models."""
        return key in self.refuted or self.tries[key] >= MOST_PASSES

    def table(self, old: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        """The conditions in the order of the source: with the model that refutes a rewrite without
        it, or the outcome. `old` is a table whose conditions were not searched for."""
        refuted: dict[str, Any] = {}
        others: dict[str, str] = {}
        for condition in known_conditions():
            key = condition.key
            outcome = self.best.get(key)
            if key in old["refuted"]:
                refuted[key] = old["refuted"][key]
            elif key in old["others"]:
                others[key] = old["others"][key]
            elif outcome is None:
                others[key] = "same"
            elif outcome.status == "refuted":
                refuted[key] = {"rewrite": outcome[1], "file": outcome[2], "model": outcome[3]}
            else:
                others[key] = outcome.status
        covered = {key: each for key, each in old["covered"].items() if key not in refuted}
        others = {key: each for key, each in others.items() if key not in covered}
        return {"refuted": refuted, "covered": covered, "others": others}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m proofs.dropping", description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--results", type=Path, default=Path("dropped.jsonl"))
    parser.add_argument("--new", action="store_true")
    parser.add_argument("--variants", action="store_true")
    parser.add_argument("--passes", nargs="+", default=passes(), choices=PASSES, metavar="PASS")
    args = parser.parse_args()
    results = Results(args.results)
    old: Mapping[str, Any] = {"refuted": {}, "covered": {}, "others": {}}
    if args.new:
        old = json.loads(TABLE.read_text("utf-8"))

    def is_known(key: str) -> bool:
        return any(key in part for part in old.values()) or results.is_known(key)

    for rewrite in args.passes:
        for more in (False, True)[: 1 + args.variants]:
            if (rewrite, more) in results.done:
                continue
            models = models_of(rewrite)
            if more:
                models = [each for model in models for each in variants(model)]
            for key, outcome in outcomes(rewrite, models, is_known):
                results.add(key, *outcome)
            results.add(rewrite, more)
            print(f"{rewrite}: {len(results.refuted)} conditions are refuted", flush=True)
    table = results.table(old)
    print(len(table["refuted"]), "refuted;", Counter(table["others"].values()))
    for key, outcome in table["others"].items():
        print(key, outcome, reason_of(key, outcome), sep=" | ")
    if args.write:
        write_table(table)


def write_table(table: Mapping[str, Any]) -> None:
    """Write the table, with the conditions in the order of the source."""
    keys = [condition.key for condition in known_conditions()]
    ordered = {
        kind: {key: table[kind][key] for key in keys if key in table[kind]}
        for kind in ("refuted", "covered", "others")
    }
    text = json.dumps(ordered, indent=1, ensure_ascii=False)
    TABLE.write_text(f"{text}\n", "utf-8")
    judged = [
        each for each in known_conditions() if any(each.key in part for part in ordered.values())
    ]
    before, head, rest = PAGE.read_text("utf-8").partition(KINDS_HEAD)
    separator, _, rest = rest.partition("\n")
    _, blank, after = rest.partition("\n\n")
    lines = "\n".join((separator, rows(counts(judged, ordered))))
    PAGE.write_text(before + head + lines + blank + after, "utf-8")


if __name__ == "__main__":
    main()
