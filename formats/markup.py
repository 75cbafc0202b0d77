"""HTML and SVG. Text from a model is escaped."""

from collections.abc import Collection, Iterable, Sequence
from html import escape

_VOID = ("meta", "input", "br", "link")


class Markup(str):
    """Text that is markup and is not escaped again."""


Attribute = str | int | float | None


def element(tag: str, /, *children: "str | Markup", **attributes: Attribute) -> Markup:
    """Return an element. Escape children that are not `Markup`, and omit attributes that are
    `None`. In attribute names, replace `_` by `-`, except at the end (`class_`)."""
    head = tag
    for key, value in attributes.items():
        if value is not None:
            head += f' {key.rstrip("_").replace("_", "-")}="{escape(_text(value))}"'
    if tag in _VOID:
        return Markup(f"<{head}>")
    return Markup(f"<{head}>{joined(children)}</{tag}>")


def joined(children: Iterable["str | Markup"]) -> Markup:
    """Return the concatenation of markup and escaped text."""
    return Markup("".join(c if isinstance(c, Markup) else escape(c) for c in children))


def table(
    heads: Sequence[str],
    lines: Iterable[Markup],
    wordy: Collection[str] = (),
    **attributes: Attribute,
) -> Markup:
    """Return a table. The columns in `wordy` are aligned on the left, all others on the right."""
    head = (element("th", h, scope="col", class_="w" if h in wordy else None) for h in heads)
    return element(
        "table",
        element("thead", element("tr", *head)),
        element("tbody", joined(lines)),
        **attributes,
    )


def document(policy: str, head: Iterable[Markup], body: Iterable[Markup]) -> str:
    """Return a whole page, with more elements of its head and a policy of the sources that it may
    load."""
    first = (
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
    )
    whole = element("html", element("head", *first, *head), element("body", *body), lang="en")
    return f"<!DOCTYPE html>\n{whole}\n"


def _text(value: str | int | float) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)
