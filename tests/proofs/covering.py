"""Search for conditions that cover each other: models on which a rewrite without several of its
conditions is refuted, and without all but one of these is not.

    python -m proofs.covering --results FILE [--passes PASS…] [--depth 3] [--mutants 50]

Run in `tests/`. A condition that blocks a rewrite is dropped, then one that blocks it now, and so
on, until the rewrite does something else or raises. The models are those of the lit tests, the same
without shapes of inputs and without names of layers, and changed ones. `python -m proofs.storing
FILE` stores the results.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, cast

from ncnn_opt.dialects.ncnn.blob import blob
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.function import outputs_of, set_outputs
from ncnn_opt.dialects.ncnn.unary import AbsValOp
from ncnn_opt.proofs.proof import as_pass
from xdsl.context import Context
from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.func import FuncOp

from .changing_values import layers_in, retype
from .dropping import TABLE, known_conditions, models_of, proof_of
from .instances import passes
from .kinds import is_open, is_unsure, kind_of
from .mutating import infer_again, mutated
from .near_misses import function_of
from .probing import Probe, probing
from .searching import Model, limited

SECONDS, PROOF_SECONDS = 3.0, 12.0
"""The longest time of a rewrite and of a proof."""

MOST_PROOFS = 4
"""Sets of conditions with a condition, in a pass, that are proven without being refuted."""

Places = frozenset[int]
"""Numbers of conditions."""


class Covering:
    """The search in one pass."""

    def __init__(self, rewrite: str, probe: Probe, wanted: set[int], results: Path) -> None:
        self.rewrite, self.probe, self.wanted, self.results = rewrite, probe, wanted, results
        self.pass_ = as_pass(rewrite)
        conditions = known_conditions()
        self.keys = [condition.key for condition in conditions]
        self.types = {i for i, each in enumerate(conditions) if kind_of(each) == "type"}
        self.proofs: Counter[int] = Counter()
        self.counts: Counter[str] = Counter()
        self.seen: set[Places] = set()

    def visit(self, model: Model, depth: int, end: float) -> None:
        """Drop the conditions that block a rewrite on a model."""
        self.seen.clear()
        self.model, self.text, self.depth, self.end = model, "", depth, end
        found = self.run(frozenset())
        if found is not None:
            self.text, deciding = found
            self.deepen(frozenset(), deciding, deciding)

    def run(self, dropped: Places) -> tuple[str, Places] | None:
        """Return the model after the pass, and the conditions that decided something; `None` if the
        pass raises or does not end."""
        self.probe.deciding.clear()
        try:
            with limited(SECONDS), self.probe.without(*dropped):
                copy = self.model.module.clone()
                self.pass_.apply(Context(), copy)
                if (text := str(copy)) != self.text and dropped:
                    copy.verify()
                return text, frozenset(self.probe.deciding)
        except Exception:
            return None

    def deepen(self, dropped: Places, deciding: Places, new: Places) -> None:
        """Drop one more condition of `new`."""
        for number in sorted(new - self.types - dropped):
            more = dropped | {number}
            if more in self.seen or monotonic() > self.end:
                continue
            self.seen.add(more)
            found = self.run(more)
            if found is None:
                for each in sorted(more & self.wanted):
                    self.record("raises", more, first=each)
            elif found[0] != self.text:
                self.prove(more)
            elif len(more) < self.depth:
                self.deepen(more, found[1], found[1] - deciding)

    def prove(self, dropped: Places) -> None:
        """Record whether the rewrite without some conditions is refuted, if one is wanted."""
        open_ = dropped & self.wanted
        if not open_ or min(self.proofs[each] for each in open_) >= MOST_PROOFS:
            return
        status = self.status(dropped)
        self.counts[status] += 1
        if status != "refuted":
            self.proofs.update(open_)
            self.record(status, dropped)
            return
        for number in sorted(dropped):
            if len(dropped) > 1 and self.status(dropped - {number}) == "refuted":
                dropped -= {number}
        if not dropped or self.status(frozenset()) == "refuted":
            self.record("wrong", dropped)
            return
        for number in sorted(dropped & self.wanted):
            self.record("refuted", dropped, first=number)
        self.wanted -= dropped

    def status(self, dropped: Places) -> str:
        try:
            with limited(PROOF_SECONDS), self.probe.without(*dropped):
                return proof_of(self.rewrite, self.model.module).status.value
        except TimeoutError:
            return "slow"
        except Exception:
            return "raises"

    def record(self, status: str, dropped: Places, first: int | None = None) -> None:
        if not dropped & self.wanted and status != "wrong":
            return
        numbers = sorted(dropped, key=lambda number: (number != first, number))
        line = {
            "status": status,
            "keys": [self.keys[number] for number in numbers],
            "rewrite": self.rewrite,
            "base": self.model.base,
            "changes": self.model.changes,
            "text": str(self.model.module) if status in ("refuted", "raises") else "",
        }
        with self.results.open("a", encoding="utf-8") as file:
            print(json.dumps(line, ensure_ascii=False), file=file)


def forget_shapes(func: FuncOp) -> None:
    """Make all shapes of inputs unknown."""
    for arg in list(func.body.block.args):
        retype(arg, None)
    infer_again(func)


def forget_names(func: FuncOp) -> None:
    """Let all layers have no name, but for a last one for each output."""
    outputs = outputs_of(func)
    named = [op for op in layers_in(func) if not isinstance(op, ConstantOp)]
    for i, (value, attrs) in enumerate(outputs):
        new = AbsValOp.make([value], {}, [blob(None)], {})
        new.layer_name = StringAttr(f"output{i}")
        func.body.block.insert_op_before(new, cast(Any, func.body.block.last_op))
        outputs[i] = (new.results[0], attrs)
    set_outputs(func, outputs)
    for op in named:
        op.properties.pop("name", None)
        op.properties.pop("blobs", None)
    infer_again(func)


def models(rewrite: str, mutants: int, seed: str) -> Iterable[Model]:
    """Yield the models of a pass, then changed ones."""
    own = [Model(f"{each.file} {each.function}", (), each.module) for each in models_of(rewrite)]
    yield from own
    for model in own:
        for name, change in (("unknown shapes", forget_shapes), ("no names", forget_names)):
            module = model.module.clone()
            try:
                change(function_of(module))
                module.verify()
            except Exception:  # the model allows no such change
                continue
            yield Model(model.base, (name,), module)
    random = Random(f"{rewrite} {seed}")
    for _ in range(mutants if own else 0):
        base = random.choice(own)
        for _ in range(random.choice((1, 1, 2, 3))):
            if (found := mutated(base.module, random)) is not None:
                base = Model(base.base, (*base.changes, found[0]), found[1])
        if base.changes:
            yield base


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m proofs.covering", description=__doc__)
    parser.add_argument("--results", type=Path, default=Path("covered.jsonl"))
    parser.add_argument("--passes", nargs="+", default=passes(), metavar="PASS")
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--mutants", type=int, default=0, help="changed models of each pass")
    parser.add_argument("--seconds", type=float, default=30, help="for each pass")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--explained", action="store_true", help="also conditions with a reason")
    args = parser.parse_args()
    found = json.loads(TABLE.read_text("utf-8"))
    conditions = known_conditions()
    wanted = {
        i
        for i, each in enumerate(conditions)
        if (is_unsure(each, found) if args.explained else is_open(each, found))
    }
    for rewrite in args.passes:  # the models are read without probes
        models_of(rewrite)
    with probing(conditions) as probe:
        for rewrite in args.passes:
            start = monotonic()
            search = Covering(rewrite, probe, wanted, args.results)
            for model in models(rewrite, args.mutants, args.seed):
                if monotonic() > start + args.seconds:
                    break
                search.visit(model, args.depth, start + args.seconds)
            print(
                rewrite,
                dict(search.counts),
                len(wanted),
                f"{monotonic() - start:.0f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
