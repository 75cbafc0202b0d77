"""mlir-opt's options: those that ncnn-opt understands, and the answers to the others."""

import re
from collections.abc import Mapping, Sequence

from .errors import UsageError

SAME: Mapping[str, str] = {
    "pass-pipeline": "--passes",
    "mlir-print-ir-after-all": "--print-between-passes",
    "mlir-print-ir-after-change": "--print-after-change",
    "mlir-print-op-generic": "--print-op-generic",
    "mlir-print-debuginfo": "--print-debuginfo",
    "mlir-pass-pipeline-crash-reproducer": "--crash-reproducer",
    "mlir-timing": "--time-passes",
    "dump-pass-pipeline": "--print-pipeline",
    "mlir-disable-threading": "",
    "mlir-print-ir-module-scope": "",
}
"""Options with the same meaning by ours. Empty: ncnn-opt always works so."""

OURS: Mapping[str, str] = {
    "mlir-print-ir-before-all": "--print-between-passes prints the IR after each pass",
    "mlir-print-ir-before": "--print-between-passes prints the IR after each pass",
    "mlir-print-ir-after": "--print-between-passes prints the IR after each pass",
    "mlir-print-ir-after-failure": "--crash-reproducer FILE writes the IR of a failing pipeline",
    "mlir-print-ir-tree-dir": "--print-between-passes prints the IR on standard error",
    "mlir-timing-display": "--time-passes prints a table, --trace FILE writes a trace",
    "mlir-pass-statistics": "--remarks prints each rewrite, --time-passes counts rewrites",
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
"""Other options, with the nearest of ours."""

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
            raise UsageError(f"'{word}' is an option of mlir-opt: {OURS[name]}")
        elif name not in SAME:
            found.append(word)
        elif value.lower() in ("false", "0") and name != "pass-pipeline":
            continue
        elif ours := SAME[name]:
            takes_value = ours in ("--passes", "--crash-reproducer")
            found.append(f"{ours}={value}" if equals and takes_value else ours)
    return found


def without_module(pipeline: str) -> str:
    """Return a pipeline without its anchor: passes run on the module, so `builtin.module(…)` has
    no effect. Raises `UsageError` for the anchor of another operation."""
    while (match := re.fullmatch(_MODULE, pipeline)) is not None:
        pipeline = match[1]
    pipeline = re.sub(_SPACE, lambda found: found[1] or "", pipeline)
    if (other := re.match(r"\s*([a-z_]+\.[a-z_]+)\s*\(", pipeline)) is not None:
        raise UsageError(
            f"in the pipeline '{pipeline}': passes run on the module, not on each "
            f"'{other[1]}': leave out {other[1]}(…)"
        )
    return pipeline
