"""Store the near misses that a search found.

    python -m proofs.storing FILE

Run in `tests/`. Each line of the search's results that still is a near miss is stored in
`near_misses/`, with as few values as possible, and the table refers to it.
"""

import argparse
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.weights import ElidedAttr
from ncnn_opt.proofs import Status
from ncnn_opt.proofs.proof import as_pass
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr

from .conditions import Condition
from .dropping import TABLE, known_conditions, model_named, proof_of, write_table
from .near_misses import function_of, read, texts, write
from .probing import Probe, probing
from .searching import SECONDS, limited

MOST_LETTERS = 8000
"""Of a model."""

UNSURE = ("never", "same")
"""The outcomes that a model on which the code raises replaces."""


class Store:
    """Stores near misses, and refers to them in the table."""

    def __init__(self, probe: Probe) -> None:
        self.probe = probe
        self.table: dict[str, dict[str, Any]] = json.loads(TABLE.read_text("utf-8"))
        self.table.setdefault("covered", {})
        self.numbers = {condition.key: i for i, condition in enumerate(known_conditions())}

    def add(self, line: Mapping[str, Any]) -> bool | None:
        """Add a line of a search's results; return whether it is a near miss, or `None` if none is
        needed."""
        key, *others = line["keys"]
        numbers = [self.numbers[each] for each in line["keys"] if each in self.numbers]
        if len(numbers) < len(line["keys"]) or key in self.table["refuted"]:
            return None
        if others and key in self.table["covered"]:
            return None
        found = self.stored(numbers, line)
        if found is None:
            return False
        self.table["others"].pop(key, None)
        self.table["covered"].pop(key, None)
        kind = "covered" if others else "refuted"
        self.table[kind][key] = {**({"by": others} if others else {}), **found}
        write_table(self.table)
        return True

    def add_raising(self, line: Mapping[str, Any]) -> bool | None:
        """Add a condition without which, or without which and others, the code raises or builds a
        layer that does not verify; return whether it does so still."""
        key = line["keys"][0]
        numbers = [self.numbers[each] for each in line["keys"] if each in self.numbers]
        if len(numbers) < len(line["keys"]) or self.table["others"].get(key) not in UNSURE:
            return None
        module = read(line["rewrite"], line["text"]).module
        if not self.raises(numbers, line["rewrite"], module):
            return False
        if self.raises(numbers[1:], line["rewrite"], module):
            return False
        self.table["others"][key] = "guards" if numbers[1:] else "raises"
        write_table(self.table)
        return True

    def raises(self, numbers: Sequence[int], rewrite: str, module: ModuleOp) -> bool:
        """Whether a rewrite without conditions raises, or its result does not verify."""
        try:
            with limited(SECONDS), self.probe.without(*numbers):
                copy = module.clone()
                as_pass(rewrite).apply(Context(), copy)
                copy.verify()
        except TimeoutError:
            return False
        except Exception:
            return True
        return False

    def stored(self, numbers: Sequence[int], line: Mapping[str, Any]) -> dict[str, str] | None:
        """Store a near miss and return its place; `None` if it is none."""
        rewrite, file, model = (line["rewrite"], *line["base"].split())
        if not line["changes"]:
            module = model_named(rewrite, file, model).module
            is_one = self.is_near_miss(numbers, rewrite, module)
            return {"rewrite": rewrite, "file": file, "model": model} if is_one else None
        module = read(rewrite, line["text"]).module
        if not self.is_near_miss(numbers, rewrite, module):
            return None
        module = self.simplified(numbers, rewrite, module)
        parts = texts(rewrite)
        condition = known_conditions()[numbers[0]]
        name = new_name(condition, {read(rewrite, part).function for part in parts})
        function_of(module).sym_name = StringAttr(name)
        needs = " or ".join(f"`{known_conditions()[n].text}`" for n in numbers)
        comment = f"// Needs {needs}\n// {line['base']}: {'; '.join(line['changes'])}."
        text = f"{comment}\n{str(module).strip()}\n"
        if len(text) > MOST_LETTERS:
            return None
        write(rewrite, [*parts, text])
        return {"rewrite": rewrite, "file": "near_misses", "model": name}

    def is_near_miss(self, numbers: Sequence[int], rewrite: str, module: ModuleOp) -> bool:
        """Whether a rewrite is refuted on a model without some conditions, but not with one of
        them."""
        with self.probe.without(*numbers):
            if proof_of(rewrite, module).status is not Status.REFUTED:
                return False
        for each in numbers:
            with self.probe.without(*(n for n in numbers if n != each)):
                if proof_of(rewrite, module).status is Status.REFUTED:
                    return False
        return True

    def simplified(self, numbers: Sequence[int], rewrite: str, module: ModuleOp) -> ModuleOp:
        """Return a near miss without the constants, and the values of constants, that it does not
        need."""
        at = 0
        while True:
            copy = module.clone()
            found = [op for op in copy.walk() if isinstance(op, ConstantOp)]
            found = [op for op in found if op.has_values() or not op.output.uses]
            if at >= len(found):
                return module
            if found[at].output.uses:
                found[at].value = ElidedAttr()
            else:
                found[at].detach()
            try:
                is_one = self.is_near_miss(numbers, rewrite, copy)
            except Exception:  # code that reads values
                is_one = False
            if is_one:
                module = copy
            else:
                at += 1


def new_name(condition: Condition, taken: set[str]) -> str:
    """Return a name of a near miss: that of the function with the condition, and a number."""
    base = re.sub(r"\W+", "_", condition.function.removesuffix(".match_and_rewrite")).strip("_")
    return next(name for i in range(1, 999) if (name := f"{base}_{i}") not in taken)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m proofs.storing", description=__doc__)
    parser.add_argument("results", type=Path)
    args = parser.parse_args()
    lines = list(map(json.loads, args.results.read_text("utf-8").splitlines()))
    raising = [line for line in lines if line["status"] == "raises" and line["text"]]
    lines = [line for line in lines if line["status"] == "refuted"]
    with probing(known_conditions()) as probe:
        store = Store(probe)
        for line in sorted(lines, key=lambda line: len(line["keys"])):
            if (found := store.add(line)) is not None:
                print("stored" if found else "no near miss", *line["keys"], sep=" | ", flush=True)
        for line in sorted(raising, key=lambda line: len(line["keys"])):
            if store.add_raising(line):
                print("raises", *line["keys"], sep=" | ", flush=True)


if __name__ == "__main__":
    main()
