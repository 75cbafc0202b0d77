"""The cards at the top of a page: the headline figures of a model, or of a comparison."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..formats.markup import Markup, element
from .model import ModelFacts, Total
from .model_comparison import ModelComparison
from .noise import in_words
from .overlays import milliseconds
from .shared_texts import Unit, changed, figure, plural, totals, uncounted
from .units import count, exact, millions, size

NOT_MEASURED = "not measured"
_REMEDY = "--errors FILE of ncnn-quantize measure --json FILE"
_TIME_REMEDY = f"{_REMEDY} --latency"


@dataclass(frozen=True)
class Card:
    """A figure with its title and small print."""

    title: str
    figure: str
    small: str


def model_cards(facts: ModelFacts) -> list[Card]:
    """Return the cards of a model."""
    types = len({row.type for row in facts.rows})
    stored = ", ".join(f"{w.storage} {size(w.nbytes)}" for w in facts.storage)
    moved = facts.activation_bytes
    if facts.peak.unknown:
        peak = uncounted(facts.peak, "blob", "size")
    else:
        peak = f"{exact(facts.peak.known)} bytes"
        if facts.peak_row is not None:
            peak = f"at {facts.rows[facts.peak_row].label}"
    macs = f"{millions(facts.macs.known)}, {figure(facts.flops, count)} FLOPs"
    return [
        *_headline(facts, None),
        Card("Layers", exact(len(facts.rows)), f"of {plural(types, 'type')}"),
        Card("MACs", figure(facts.macs, count), _small(facts.macs, macs)),
        Card("Parameters", count(facts.params), exact(facts.params)),
        Card("Weights", size(facts.weight_bytes), stored or "none"),
        Card("Peak memory", figure(facts.peak, size), peak),
        Card("Activations", figure(moved, size), _small(moved, "read and written")),
    ]


def comparison_cards(comparison: ModelComparison) -> list[Card]:
    """Return the cards of a comparison. Those of an int8 model begin with its error and time."""
    before, after = comparison.before, comparison.after
    cards = _headline(after, before)
    found = {name: (unit, old, new) for name, unit, old, new in totals(before, after)}
    splits = found.pop("of which Splits", None)
    del found["FLOPs"]  # nearly always in proportion to the MACs; the table has them
    titles = {"weight bytes": "Weights", "activation bytes": "Activations"}
    for name, (unit, old, new) in found.items():
        small = _from(old, new, unit)
        if name == "layers" and splits is not None:
            small = f"{small}, of which {plural(splits[2].known, 'Split')}"
        title = titles.get(name, f"{name[0].upper()}{name[1:]}")
        cards.append(Card(title, figure(new, unit), small))
    return cards


def _from(old: Total, new: Total, unit: Unit) -> str:
    """Return the figure before and the relative change."""
    was, small = figure(old, unit), changed(old, new)
    if was == figure(new, unit):
        return small
    return f"before {was}" + (f", {small}" if small else "")


def _headline(facts: ModelFacts, before: ModelFacts | None) -> list[Card]:
    """Return the error and the time of a model, if they were measured or if it is an int8 form of
    the model before."""
    cards: list[Card] = []
    expected = before is not None and facts.has_integers and not before.has_integers
    if facts.noise or expected:
        cards.append(_worst("Worst output", facts.output_noise, {}))
        cards.append(_worst("Worst layer", facts.noise, {r.name: r.type for r in facts.rows}))
    if facts.latency is not None:
        small = "median of a run"
        if before is not None and before.latency is not None:
            percent = 100 * (facts.latency / before.latency - 1)
            sign = "+" if percent > 0 else "−"
            small = f"before {milliseconds(before.latency)}, {sign}{abs(percent):.0f} %"
        cards.append(Card("Time", milliseconds(facts.latency), small))
    elif expected:
        cards.append(Card("Time", NOT_MEASURED, _TIME_REMEDY))
    return cards


def _worst(title: str, noise: Mapping[str, float], types: Mapping[str, str]) -> Card:
    """Return the smallest signal-to-noise ratio of outputs or layers."""
    if not noise:
        return Card(title, NOT_MEASURED, _REMEDY)
    name = min(noise, key=lambda name: noise[name])
    of = f"{types.get(name, '')} {name}".strip()
    more = f", the worst of {len(noise)}" if len(noise) > 1 else ""
    return Card(title, in_words(noise[name]), of + more)


def _small(total: Total, words: str) -> str:
    """Return the small print of a sum: its omissions, or these words."""
    return uncounted(total) if total.unknown else words


def cards_section(cards: Sequence[Card]) -> Markup:
    """Return cards in one row, where the window is wide enough."""
    return element(
        "section",
        *(
            element(
                "div",
                element("h2", card.title),
                element("p", card.figure, class_="figure", title=card.figure),
                element("p", card.small, class_="muted small", title=card.small),
                class_="card",
            )
            for card in cards
        ),
        class_="cards",
        aria_label="summary",
    )
