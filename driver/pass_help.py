"""The texts of `ncnn-opt --help PASS` and `--list-passes`.

They are made from the table of passes and the docstrings of patterns, so they change with the code.
"""

import inspect
import re
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields
from importlib.resources import files
from typing import Any, cast

from ..transforms.rewriting import passes as table
from ..transforms.rewriting.passes import GROUPS, PASSES, Row
from .environment import (
    NCNN_OPT,
    OF_IREE,
    available_passes,
    passes_of_others,
    passes_of_xdsl,
    universe,
)
from .pipelines import unknown_pass

EXAMPLES = "examples.txt"
"""The file beside the table of passes."""
WIDTH = 96


@dataclass(frozen=True)
class Example:
    """A function before and after a pass."""

    command: str
    before: str
    after: str


def examples_as_text(examples: Mapping[str, Example]) -> str:
    """Return the content of the file of examples."""
    parts = [f"{name}\n$ {e.command}\n{e.before}\n-->\n{e.after}\n" for name, e in examples.items()]
    return "\n== ".join(["== " + parts[0], *parts[1:]]) if parts else ""


def examples_in(text: str) -> dict[str, Example]:
    """Return the examples in the content of such a file, by pass."""
    found: dict[str, Example] = {}
    for part in ("\n" + text).split("\n== ")[1:]:
        head, _, after = part.partition("\n-->\n")
        name, command, before = head.split("\n", 2)
        found[name] = Example(command.removeprefix("$ "), before, after.rstrip("\n"))
    return found


def example_of(name: str) -> Example | None:
    """Return the example of a pass, if there is one."""
    text = files(table.__name__).joinpath(EXAMPLES).read_text("utf-8")
    return examples_in(text).get(name)


COMMON_CONDITIONS = (
    "No pattern joins layers with different feature masks or with parameters that ncnn does not "
    'read, and -O limits the growth of weights: docs/passes.md, "When they do not fire".'
)


def answer(arguments: Sequence[str]) -> str | None:
    """Return the text for `--list-passes`, `--show-dialects` or `--help PASS`; `None` for other
    command lines. Raises `UsageError` for an unknown pass after `--help`."""
    if "--list-passes" in arguments:
        return list_passes()
    if "--show-dialects" in arguments:
        return list_dialects()
    at = next((i for i, word in enumerate(arguments) if word in ("-h", "--help")), None)
    if at is None or at + 1 == len(arguments):
        return None
    word = arguments[at + 1]
    name = word.removeprefix("--").partition("=")[0]
    if name in available_passes():
        return describe_pass(name)
    if word.startswith("-") or "." in word:  # another option, or a model
        return None
    raise unknown_pass(word)


def describe_pass(name: str) -> str:
    """Return the help of a pass: its options, the conditions of its patterns, an example."""
    cls = available_passes()[name]()
    row = PASSES.get(name)
    lines = [f"ncnn-opt --{name}", ""]
    lines += textwrap.wrap(f"{row.help}.", WIDTH) if row else [*_doc(cls)] or ["(not documented)"]
    if options := options_of(cls):
        lines += ["", f'Options, as --{name}="key=value key=value":', *(f"  {o}" for o in options)]
    if name == "canonicalize":
        lines += ["", *describe_canonicalization()]
    for title, doc in conditions(row) if row else ():
        lines += ["", f"{title}:", *(f"  {line}".rstrip() for line in doc)]
    if row and row.make_patterns():
        lines += ["", *textwrap.wrap(COMMON_CONDITIONS, WIDTH)]
    if row and (example := example_of(name)):
        lines += ["", "Example:", "", f"$ {example.command}", example.before, "-->", example.after]
    return "\n".join(lines)


def describe_canonicalization() -> list[str]:
    """Return a line for each pattern of `canonicalize`, by group in the order of the groups."""
    from ..transforms.canonicalization import patterns

    lines = ["canonicalize applies these patterns, until none fires, and removes unused layers:"]
    groups = {
        "simplifications": patterns.SIMPLIFICATIONS,
        "recognition of layers that are spelled out": patterns.RECOGNITION,
        "fusions": patterns.FUSIONS,
        "neutral layers": patterns.NEUTRAL,
    }
    for title, group in groups.items():
        lines += ["", f"{title}:"]
        for pattern in group:
            cls = type(pattern)
            first = " ".join(_doc(cls)).split(". ")[0].rstrip(".")
            text = f"{cls.__name__}: {first}"
            lines += textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ")
    return lines


def conditions(row: Row) -> Iterator[tuple[str, list[str]]]:
    """Yield the name and docstring of a pass, if it is more than patterns, and of each of its
    patterns, which contain the conditions; then of the predicates whose conditions are theirs."""
    classes = [] if row.pass_class is None else [row.load()]
    classes += [type(pattern) for pattern in row.make_patterns()]
    predicates: dict[str, object] = {}
    for cls in classes:
        doc = _doc(cls)
        yield cls.__name__, doc
        module = vars(sys.modules[cls.__module__])
        for name in re.findall(r"conditions\s+of\s+`([a-z]\w+)`", "\n".join(doc)):
            predicates[name] = module[name]
    for name, predicate in predicates.items():
        yield name, _doc(predicate)


def _doc(documented: object) -> list[str]:
    return inspect.cleandoc(documented.__doc__ or "").splitlines()  # not that of a base


def options_of(cls: type) -> list[str]:
    """Return the options of a pass with their types and defaults."""
    return [_option(each) for each in fields(cast(Any, cls))]


def _option(option: "Field[Any]") -> str:
    kind = option.type if isinstance(option.type, str) else inspect.formatannotation(option.type)
    name = option.metadata.get("option", option.name)
    if option.default is MISSING and option.default_factory is MISSING:
        return f"{name}: {kind}"
    make: Any = option.default_factory
    given = make() if option.default is MISSING else option.default
    return f"{name}: {kind} = {given!r}"


def describe_ours() -> str:
    """Return a line for each pass of ours, by group."""
    margin = " " * 36
    lines = list[str]()
    for title, rows in GROUPS.items():
        lines.append(f'{title} (in the order given, with options as --PASS="key=value"):')
        for row in rows:
            text = textwrap.wrap(row.help, WIDTH, initial_indent=margin, subsequent_indent=margin)
            flag = f"  --{row.name} "
            if len(flag) <= len(margin):
                text[0] = flag + text[0][len(flag) :]
            else:
                lines.append(flag.rstrip())
            lines += text
        lines.append("")
    lines.append("--help PASS says more of one: its options, its conditions, an example.")
    lines.append("--list-passes lists those of xDSL and of other packages, too.")
    return "\n".join(lines)


def list_passes() -> str:
    """Return the list of all passes: a line for each pass of ours, the names of others."""
    width = max(len(row.name) for row in PASSES.values()) + 2
    lines: list[str] = []
    for title, rows in GROUPS.items():
        lines += [f"{title}:", *(f"  {row.name:{width}}{row.help}" for row in rows), ""]
    for package, names in passes_of_others().items():
        lines += [f"of {package}:", *_wrapped(names), ""]
    lines += ["of xDSL (canonicalize applies all patterns of ours):", *_wrapped(passes_of_xdsl())]
    return "\n".join(lines)


def described_passes() -> dict[str, str]:
    """Return a line for each pass of ours, in the order of the groups, and the package of each pass
    of another package."""
    found = {row.name: row.help for rows in GROUPS.values() for row in rows}
    for package, names in passes_of_others().items():
        found |= {name: f"a pass of {package}" for name in names if name not in found}
    return found


def list_dialects() -> str:
    """Return the names of all dialects, ours first."""
    ours = {**NCNN_OPT.all_dialects, **OF_IREE}
    others = sorted(universe().all_dialects.keys() - ours.keys())
    return "\n".join(["ours:", *_wrapped(list(ours)), "", "others:", *_wrapped(others)])


def _wrapped(names: Sequence[str]) -> list[str]:
    text = ", ".join(names)
    return textwrap.wrap(
        text, WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False
    )
