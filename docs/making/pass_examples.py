"""Examples of passes: for each pass the first function that it changes in its lit tests, before and
after. `make examples` writes them to the file that `ncnn-opt --help PASS` shows; the pages of the
passes also contain them."""

import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

from ncnn_opt.driver.model_files import read_model
from ncnn_opt.driver.pass_help import EXAMPLES, Example, examples_as_text
from ncnn_opt.driver.pipelines import run_pipeline, tuning
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.targets.mlir.ir_printer import print_module
from ncnn_opt.targets.options import MlirOptions, WeightStyle
from ncnn_opt.tools.arguments import split_passes
from ncnn_opt.transforms.rewriting.passes import PASSES
from xdsl.utils.exceptions import PassFailedException

ROOT = Path(__file__).parents[2]
TESTS = [ROOT / "tests" / "filecheck" / name for name in ("conversion", "transforms")]
MOST_LINES = (24, 60)
"""Limits on the lines of an example: the first for a preferred example, the second for any."""


def examples() -> dict[str, Example]:
    """Return the example of each pass that has one."""
    commands: dict[str, list[tuple[Path, list[str]]]] = {}
    for path in sorted(path for folder in TESTS for path in folder.rglob("*.mlir")):
        if "Inputs" in path.parts or re.search(r"-(kept|errors|invalid)$", path.stem):
            continue
        for flags in _commands(path.read_text("utf-8")):
            if len(named := [_pass(f) for f in flags if _pass(f) in PASSES]) == 1:
                commands.setdefault(named[0], []).append((path, flags))
    found: dict[str, Example] = {}
    for name in PASSES:
        # The pass's own file precedes other files that also run it.
        tests = sorted(commands.get(name, []), key=lambda test: not test[0].stem.startswith(name))
        tried = (_tried(path, flags, most) for most in MOST_LINES for path, flags in tests)
        example = next((e for each in tried for e in each), None)
        if example is not None:
            found[name] = example
    return found


def _commands(text: str) -> Iterator[list[str]]:
    """Yield the passes of each run of `ncnn-opt` in a test, as options, after `--tune` if any."""
    for command in re.findall(r"// RUN: ncnn-opt (.*)", text):
        words = list(takewhile(lambda word: word not in ("|", ">"), shlex.split(command)))
        flags = [word for word in words if word.startswith("--") and _pass(word) in PASSES]
        tune = [words.index("--tune")] if "--tune" in words else []
        yield [f"--tune={words[i + 1]}" for i in tune] + flags


def _pass(flag: str) -> str:
    return flag.removeprefix("--").partition("=")[0]


def _tried(path: Path, flags: list[str], most: int) -> Iterator[Example]:
    """Yield the functions of a test that are short enough and that passes change."""
    for text in re.findall(r"^func\.func .*?^}$", path.read_text("utf-8"), re.M | re.S):
        if text.count("\n") >= most or "#ncnn.weight" in text or "resource" in text:
            continue
        run = [flag.replace("%S", str(path.parent)) for flag in flags]
        try:
            before, after = _printed(text), _printed(text, run)
        except PassFailedException:  # of a pass for several functions
            continue
        if before != after:
            shown = (shlex.quote(flag.replace("%S/Inputs/", "")) for flag in flags)
            command = " ".join(["ncnn-opt", *shown, "it.mlir"])
            yield Example(command, before, after)


def _printed(text: str, flags: list[str] | None = None) -> str:
    """Return a function as IR, after passes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "it.mlir"
        path.write_text(text)
        module = read_model(str(path), ReadOptions()).module
        if flags:
            parts, rest = split_passes(flags)
            run_pipeline(module, [*tuning(rest[0].partition("=")[2] if rest else None), *parts])
        lines = print_module(module, MlirOptions(WeightStyle.ELIDE)).splitlines()
    if not lines[0].startswith("builtin.module"):
        return "\n".join(lines)
    return "\n".join(line.removeprefix("  ") for line in lines[1:-1])


if __name__ == "__main__":
    if sys.argv[1:]:
        raise SystemExit("pass_examples.py takes no arguments")
    (ROOT / "transforms" / "rewriting" / "passes" / EXAMPLES).write_text(
        examples_as_text(examples()), "utf-8"
    )
