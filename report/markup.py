"""HTML and SVG that is escaped wherever it comes from a model."""

from collections.abc import Collection, Iterable, Sequence
from html import escape

_VOID = ("meta", "input", "br", "link")


class Markup(str):
    """Text that is markup already."""


Attribute = str | int | float | None


def element(tag: str, /, *children: "str | Markup", **attributes: Attribute) -> Markup:
    """An element. Children that are not `Markup` are escaped; an attribute of `None` is left out.
    In attribute names `_` stands for `-`, but not at the end (`class_`)."""
    head = tag
    for key, value in attributes.items():
        if value is not None:
            head += f' {key.rstrip("_").replace("_", "-")}="{escape(_text(value))}"'
    if tag in _VOID:
        return Markup(f"<{head}>")
    return Markup(f"<{head}>{joined(children)}</{tag}>")


def joined(children: Iterable["str | Markup"]) -> Markup:
    """Markup and texts one after the other."""
    return Markup("".join(c if isinstance(c, Markup) else escape(c) for c in children))


def table(
    heads: Sequence[str],
    lines: Iterable[Markup],
    wordy: Collection[str] = (),
    **attributes: Attribute,
) -> Markup:
    """A table of these lines. Columns are aligned on the right but for those of words."""
    head = (element("th", h, scope="col", class_="w" if h in wordy else None) for h in heads)
    return element(
        "table",
        element("thead", element("tr", *head)),
        element("tbody", joined(lines)),
        **attributes,
    )


def raw(text: str) -> Markup:
    """A text of our own that is markup."""
    return Markup(text)


def _text(value: str | int | float) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)
