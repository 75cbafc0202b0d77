"""The page of many models: a line for each, with a link to its own page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from ..formats.markup import Markup, element, table
from .page import bare_page

Figure = int | str | tuple[int, int]


@dataclass(frozen=True)
class Entry:
    """A line of the page."""

    path: str
    """The model."""
    link: str | None
    """The output of the model, relative to the page; `None` if it has none."""
    status: str
    figures: Mapping[str, Figure]
    """Numbers, texts, or pairs of numbers before and after, by name."""
    message: str = ""
    """The reason of a failure."""


def index_page(command: str, entries: Sequence[Entry], total: str) -> str:
    """Return the page. `total` is the line for all models."""
    names = list(dict.fromkeys(name for entry in entries for name in entry.figures))
    rows = [
        element("tr", _model(entry), *(_cell(entry, name) for name in names), _status(entry))
        for entry in entries
    ]
    models = table(["model", *names, "status"], rows, wordy=("model", "status"), id="models")
    wide = element("div", models, class_="scroll")
    title = f"{len(entries)} models" if len(entries) != 1 else "1 model"
    return bare_page(title, command, [element("p", total, class_="muted"), wide])


def _model(entry: Entry) -> Markup:
    name = entry.path
    link = name if entry.link is None else element("a", name, href=quote(entry.link))
    return element("th", link, scope="row")


def _status(entry: Entry) -> Markup:
    last = entry.message.splitlines()[-1] if entry.message else ""
    return element("td", f"{entry.status}: {last}" if last else entry.status, class_="w")


def _cell(entry: Entry, name: str) -> Markup:
    value = entry.figures.get(name)
    if value is None:
        return element("td")
    if isinstance(value, str):
        return element("td", value.replace(" -> ", " → "))
    if isinstance(value, int):
        return element("td", f"{value:,}")
    before, after = value
    change = f" ({100 * (after - before) / before:+.1f} %)" if before and before != after else ""
    return element("td", f"{before:,} → {after:,}{change}")
