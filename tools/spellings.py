"""Options in other spellings than the present ones: former spellings, which work for one release
with a note on standard error, and options of mlir-opt and of LLVM's opt."""

import re
from collections.abc import Mapping, Sequence

from ..driver.messages import print_note
from ..formats.errors import UsageError

_DEVICES = {"--on": "--on-device"}

OLD: Mapping[str, Mapping[str, str]] = {
    "ncnn-opt": {
        **_DEVICES,
        "--like": "--other-export",
        "--like-shape": "--other-shape",
    },
    "ncnn-opt --prove-pdl": {"--on": "--layers-of"},
    "ncnn-compile": {
        "--target": "--target-device",
        "--tune": "--autotune",
        "--tune-seconds": "--autotune-seconds",
        "--tune-cache": "--autotune-cache",
    },
    "ncnn-quantize": {
        **_DEVICES,
        "--tune": "--keep-slower",
        "--max-error": "--max-nsr",
        "--measured": "--eval-samples",
        "--held-back": "--holdout",
    },
    "ncnn-report": {**_DEVICES, "--json": "--print-json"},
    "ncnn-run": _DEVICES,
}
"""The present spelling of each former one, by command. An option of another command may have the
former spelling as its present one: `--tune` of `ncnn-opt`."""

FORMER_PASSES: Mapping[str, str] = {"--outline-host-tail": "--partition-host-ops"}
"""The present name of each former pass of `ncnn-opt`."""


def in_new_spelling(command: str, arguments: Sequence[str]) -> list[str]:
    """Return a command line in the present spelling, with one note for each former one."""
    words = list(arguments)
    end = words.index("--") if "--" in words else len(words)
    old = OLD.get(_mode(command, words[:end]), {})
    if command == "ncnn-opt":
        old = {**old, **FORMER_PASSES}
    notes: dict[str, str] = {}
    for i, word in enumerate(words[:end]):
        name, equals, value = word.partition("=")
        if (new := old.get(name)) is not None:
            words[i] = f"{new}{equals}{value}"
            notes[name] = new
    if not {"-q", "--quiet"} & set(words[:end]):
        for name, new in notes.items():
            print_note(f"{command}: note: {_note(name, new)}")
    return words


def present_name(command: str, name: str, place: str) -> str:
    """Return the present name of an option in a file, without dashes; `place` is for the note."""
    new = OLD.get(command, {}).get(f"--{name}")
    if new is None:
        return name
    print_note(f"{command}: note: {place}: {_note(f'--{name}', new)}")
    return new.removeprefix("--")


def _mode(command: str, words: Sequence[str]) -> str:
    """Return the command whose options the words are: `ncnn-opt --prove-pdl` has its own."""
    proves = any(word.partition("=")[0] == "--prove-pdl" for word in words)
    return f"{command} --prove-pdl" if proves and command == "ncnn-opt" else command


def _note(name: str, new: str) -> str:
    return f"{name} is now {new}; the old spelling works until the next release"


SAME: Mapping[str, str] = {
    "pass-pipeline": "--passes",
    "mlir-print-ir-after-all": "--print-between-passes",
    "print-after-all": "--print-between-passes",
    "mlir-print-ir-after-change": "--print-after-change",
    "mlir-print-ir-after": "--print-after",
    "mlir-print-ir-tree-dir": "--print-to-dir",
    "mlir-print-op-generic": "--print-op-generic",
    "mlir-print-debuginfo": "--print-debuginfo",
    "mlir-pass-pipeline-crash-reproducer": "--crash-reproducer",
    "mlir-timing": "--time-passes",
    "mlir-pass-statistics": "--statistics",
    "dump-pass-pipeline": "--print-pipeline",
    "mlir-disable-threading": "",
    "mlir-print-ir-module-scope": "",
}
"""Options of mlir-opt with the same meaning by ours. Empty: ncnn-opt always works so."""

TAKE_VALUES = (
    "--passes",
    "--crash-reproducer",
    "--print-after",
    "--print-after-rewrite",
    "--print-to-dir",
)
"""Those of ours that take a value."""

OURS: Mapping[str, str] = {
    "mlir-print-ir-before-all": "--print-between-passes prints the IR after each pass",
    "mlir-print-ir-before": "--print-between-passes prints the IR after each pass",
    "print-before-all": "--print-between-passes prints the IR after each pass",
    "print-before": "--print-between-passes prints the IR after each pass",
    "print-changed": "--print-after-change prints the IR after each pass that changes it",
    "mlir-print-ir-after-failure": "--crash-reproducer FILE writes the IR of a failing pipeline",
    "mlir-timing-display": "--time-passes prints a table, --trace FILE writes a trace",
    "mlir-elide-elementsattrs-if-larger": "--elide-weights omits large weights",
    "mlir-elide-resource-strings-if-larger": "--elide-weights omits large weights",
    "mlir-print-elementsattrs-with-hex-if-larger": "--inline-weights prints weights as hex",
    "mlir-print-value-users": "ncnn-report MODEL --html FILE shows the graph",
    "mlir-print-local-scope": "--print-op-generic prints MLIR's generic form",
    "mlir-print-assume-verified": "--disable-verify does not verify the IR",
    "mlir-print-stacktrace-on-diagnostic": "an error names the layer and its line",
    "mlir-print-unique-ssa-ids": "values have the names of blobs, which are unique",
    "mlir-debug-counter": "--stop-after N applies at most N rewrites",
    "debug": "--remarks prints each rewrite, --remarks=missed the missed ones",
    "debug-only": "--remarks prints each rewrite, --remarks=missed the missed ones",
    "load-dialect-plugin": "dialects come from installed packages: docs/plugins.md",
    "load-pass-plugin": "passes come from installed packages: docs/plugins.md",
    "emit-bytecode": "-o FILE.mlir writes text, -o FILE.param ncnn's format",
    "run-reproducer": "the first line of a reproducer contains the command",
}
"""Other options of mlir-opt, with the nearest of ours."""

OF_OPT = ("print-before-all", "print-before", "print-changed")
"""Options in `OURS` that LLVM's opt has, not mlir-opt."""

_MODULE = r"(?s)\s*(?:any|builtin\.module)\s*\((.*)\)\s*"

_SPACE = r'("(?:[^"\\]|\\.)*"|\{[^}]*\})|\s+'
"""Blanks outside of names in quotes and of options, which separate them."""


def translated(arguments: Sequence[str]) -> list[str]:
    """Return a command line with mlir-opt's spellings replaced by ours. Raises `UsageError` with
    the nearest option of ours for an option that has no equivalent."""
    found: list[str] = []
    rest = iter(arguments)
    for word in rest:
        name, equals, value = word.lstrip("-").partition("=")
        if word == "--":
            return [*found, word, *rest]
        if not word.startswith("-") or (not word.startswith("--") and len(name) < 5):
            found.append(word)
        elif name in OURS:
            tool = "mlir-opt" if name not in OF_OPT else "opt"
            raise UsageError(f"'{word}' is an option of {tool}: {OURS[name]}")
        elif name not in SAME:
            found.append(word)
        elif value.lower() in ("false", "0") and name != "pass-pipeline":
            continue
        elif ours := SAME[name]:
            takes_value = ours in TAKE_VALUES
            found.append(f"{ours}={value}" if equals and takes_value else ours)
    return found


def without_module(pipeline: str) -> str:
    """Return a pipeline without its anchors: passes run on the module and all functions in it, so
    `builtin.module(…)` and `func.func(…)` have no effect. Raises `UsageError` for the anchor of
    another operation."""
    while (match := re.fullmatch(_MODULE, pipeline)) is not None:
        pipeline = match[1]
    pipeline = re.sub(_SPACE, lambda found: found[1] or "", pipeline)
    pipeline = _without_functions(pipeline)
    if (other := re.match(r"\s*([a-z_]+\.[a-z_]+)\s*\(", pipeline)) is not None:
        raise UsageError(
            f"in the pipeline '{pipeline}': passes run on the module, not on each "
            f"'{other[1]}': leave out {other[1]}(…)"
        )
    return pipeline


_TOKEN = r'"(?:[^"\\]|\\.)*"|\{[^}]*\}|func\.func\(|[()]|[^"{()f]+|.'
"""A name in quotes, options, the begin of a nest, a bracket, or other text."""


def _without_functions(pipeline: str) -> str:
    """Return a pipeline without `func.func(…)` around passes. Text with brackets that do not match
    stays, for the parser's message."""
    kept: list[str] = []
    nests: list[bool] = []
    for token in re.findall(_TOKEN, pipeline):
        if token.endswith("(") and token[0] not in '"{':
            nests.append(token == "func.func(")
            if nests[-1]:
                continue
        elif token == ")" and nests and nests.pop():
            continue
        kept.append(token)
    return "".join(kept) if not any(nests) else pipeline
