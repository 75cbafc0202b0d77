"""A hook of MkDocs: generated pages, and the order of pages.

The README is the first page. Notebooks are shown without running them. Each command has a page with
its help (command_pages.py). Each pass has a page with the output of `ncnn-opt --help PASS`. Each
layer has a page with its parameters and weights (layer_pages.py). mkdocstrings generates the pages
of modules. One page contains all others.
"""

import json
import re
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from ncnn_opt.driver.pass_help import conditions, example_of, options_of
from ncnn_opt.transforms.rewriting.passes import GROUPS, Row

sys.path.insert(0, str(Path(__file__).parent))  # mkdocs loads this file by its path

from command_pages import command_pages
from layer_pages import layer_pages

ROOT = Path(__file__).parents[2]

SECTIONS = {
    "Using it": [
        "start",
        "export",
        "pnnx",
        "run",
        "report",
        "shapes",
        "sizes",
        "editing",
        "float16",
        "quantize",
        "quantize_weights",
        "decoders",
        "devices",
        "processors",
        "releases",
        "batch",
        "python",
        "options",
        "ncnn_tools",
        "ncnnoptimize",
        "platforms",
        "reliability",
        "security",
        "troubleshooting",
        "faq",
    ],
    "For compiler people": [
        "architecture",
        "decisions",
        "ir",
        "passes",
        "fused",
        "native",
        "tutorial",
        "extending",
        "proofs",
        "plugins",
    ],
}
"""The pages of docs/ that come first, in order; the first section contains all others."""

SEARCH_SCRIPT = "iframe-worker.js"
"""The script that lets search work in pages that are read from a folder. The plugin `offline` would
load such a script from elsewhere if no script had this name."""

MADE = ("notebooks", "commands", "passes", "layers", "api")
"""The folders of generated pages."""

MODULES = {
    "Python interface": {
        "ncnn_opt.api": "What `import ncnn_opt` gives.",
        "ncnn_opt.loaded_model": "",
        "ncnn_opt.compiled": "",
        "ncnn_opt.values": "What its functions give and take.",
    },
    "For those who write passes": {
        "ncnn_opt.transforms.rewriting.pattern_pass": "",
        "ncnn_opt.transforms.canonicalization.rewriting": "",
        "ncnn_opt.analysis.shapes": "",
        "ncnn_opt.transforms.rewriting.remarks": "",
        "ncnn_opt.dialects.ncnn.layer": "",
        "ncnn_opt.dialects.ncnn.interfaces": "",
    },
}
"""The modules of each page of the API."""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Set the navigation."""
    first, second = _sections()
    notebooks, commands, passes, layers, api = (
        [p for p in _pages() if p.startswith(f"{folder}/")] for folder in MADE
    )
    config.nav = [
        {"Overview": "index.md"},
        {next(iter(SECTIONS)): first},
        {list(SECTIONS)[1]: second},
        {"Notebooks": notebooks},
        {"Each command": commands},
        {"Each pass": [passes[0], *_grouped_passes()]},
        {"Each layer": layers},
        {"Modules": api},
        {"The project": ["CONTRIBUTING.md", "CHANGELOG.md"]},
        {"Everything on one page": "everything.md"},
    ]
    return config


def _grouped_passes() -> list[dict[str, list[str]]]:
    """Return the pages of passes in the groups of `ncnn-opt --help`."""
    return [
        {f"{title[0].upper()}{title[1:]}": [f"passes/{row.name}.md" for row in rows]}
        for title, rows in GROUPS.items()
    ]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages."""
    for path, text in _pages().items():
        files.append(File.generated(config, path, content=text))
    script = Path(__file__).with_name(SEARCH_SCRIPT).read_text("utf-8")
    files.append(File.generated(config, f"assets/{SEARCH_SCRIPT}", content=script))
    return files


def _sections() -> tuple[list[str], list[str]]:
    """Return the pages of docs/ by section."""
    own = [path.stem for path in sorted((ROOT / "docs").glob("*.md"))]
    named = [name for names in SECTIONS.values() for name in names]
    first, second = ([f"{name}.md" for name in names] for names in SECTIONS.values())
    return first + [f"{name}.md" for name in own if name not in named], second


@cache
def _pages() -> Mapping[str, str]:
    """Return the generated pages by path."""
    pages = {"index.md": _from_root("README.md")}
    for name in ("CHANGELOG", "CONTRIBUTING"):
        pages[f"{name}.md"] = _from_root(f"{name}.md")
    for path in sorted((ROOT / "examples" / "notebooks").glob("*.ipynb")):
        pages[f"notebooks/{path.stem}.md"] = _notebook(json.loads(path.read_text("utf-8")))
    pages |= {**dict(command_pages()), **dict(_passes()), **dict(layer_pages())}
    for title, modules in MODULES.items():
        pages[f"api/{title.lower().replace(' ', '_')}.md"] = _modules(title, modules)
    first, second = _sections()
    pages["everything.md"] = _everything(["index.md", *first, *second], pages)
    return pages


def _from_root(name: str) -> str:
    """Return a file of the root as a page: change links into docs/ to links to pages."""
    text = (ROOT / name).read_text("utf-8")
    text = re.sub(r"\]\(docs/([\w.#-]+)\)", r"](\1)", text)
    text = text.replace("[docs/](docs/)", "docs/")
    return text.replace("](README.md)", "](index.md)")


def _notebook(notebook: Any) -> str:
    """Return the cells of a notebook, each with its output."""
    parts: list[str] = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        texts = [o.get("text") or o.get("data", {}).get("text/plain", []) for o in cell["outputs"]]
        if said := "".join(line for text in texts for line in text).strip():
            parts.append(f"```text\n{said}\n```")
    return "\n\n".join(parts) + "\n"


def _passes() -> Iterable[tuple[str, str]]:
    lines = ["# All passes", "", "What `ncnn-opt --help PASS` says of each."]
    pages: dict[str, str] = {}
    for title, rows in GROUPS.items():
        lines += ["", f"## {title[0].upper()}{title[1:]}", "", "| pass | |", "| --- | --- |"]
        for row in rows:
            pages[f"passes/{row.name}.md"] = _pass(row)
            lines.append(f"| [{row.name}]({row.name}.md) | {_cell(row.help)} |")
    yield "passes/index.md", "\n".join(lines) + "\n"
    yield from pages.items()


def _pass(row: Row) -> str:
    parts = [
        f"# {row.name}",
        f"{row.help}.",
        f"```sh\nncnn-opt --{row.name} model.param -o fast.param\n```",
    ]
    if options := options_of(row.load()):
        parts.append("## Options\n\n" + "\n".join(f"- `{option}`" for option in options))
    for title, doc in conditions(row):
        parts.append(f"## {title}\n\n{_markdown(doc)}")
    if (example := example_of(row.name)) is not None:
        parts.append(f"## Example\n\nBefore `{example.command}`:\n\n```mlir\n{example.before}\n```")
        parts.append(f"After:\n\n```mlir\n{example.after}\n```")
    return "\n\n".join(parts) + "\n"


def _modules(title: str, modules: Mapping[str, str]) -> str:
    parts = [f"# {title}"]
    for module, words in modules.items():
        parts += [words, f"::: {module}"] if words else [f"::: {module}"]
    return "\n\n".join(parts) + "\n"


def _everything(paths: Iterable[str], made: Mapping[str, str]) -> str:
    """Return all pages as one, each title one level lower. Their links lead to the separate
    pages."""
    parts = ["# Everything on one page"]
    for path in paths:
        text = made.get(path) or (ROOT / "docs" / path).read_text("utf-8")
        blocks = re.split(r"(^```.*?^```$)", text, flags=re.S | re.M)
        parts.append(
            "".join(
                b if b.startswith("```") else re.sub(r"^#", "##", b, flags=re.M) for b in blocks
            )
        )
    return "\n\n".join(parts)


def _markdown(doc: Iterable[str]) -> str:
    """Return a docstring as Markdown: lists and labelled parts become paragraphs."""
    text: list[str] = []
    for line in (each.strip() for each in doc):
        begins = line.startswith("- ") or re.match(
            r"(Shapes|Parameters|Source|Example|Algebra|Raises): ", line
        )
        if begins and text and text[-1] and not text[-1].startswith("- "):
            text.append("")
        text.append(line)
    return "\n".join(text)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
