"""The texts about a model that text reports and pages share."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence

from ..analysis.states import WORDS, State
from .model import BlobFact, LayerRow, ModelFacts, Total
from .model_comparison import ComparedLayer, Fate, ModelComparison
from .units import change, count, exact, extents, millions, size

Unit = Callable[[int | None], str]
"""A function that formats a figure."""
Figure = Callable[[LayerRow], int | None]
"""A function that returns a figure of a layer."""


def plural(n: int, word: str) -> str:
    """`1 layer`, `2 layers`."""
    return f"{n:,} {word}{'' if n == 1 else 's'}"


def figure(total: Total, unit: Unit) -> str:
    """A sum, or its known part."""
    if not total.unknown:
        return unit(total.known)
    return f"≥ {unit(total.known)}" if total.known else "not known"


def uncounted(total: Total, what: str = "layer", of: str = "cost") -> str:
    """The omissions of a sum: `2 layers of unknown cost`."""
    return f"{plural(total.unknown, what)} of unknown {of}"


def described(total: Total, unit: Unit, what: str = "layer", of: str = "cost") -> str:
    """A sum and its omissions."""
    if not total.unknown:
        return unit(total.known)
    left = uncounted(total, what, of)
    return (
        f"at least {unit(total.known)}; {left} not counted" if total.known else f"not known: {left}"
    )


def summary(facts: ModelFacts) -> Sequence[tuple[str, str]]:
    """Return the totals of a model: names and figures."""
    return [
        ("layers", layers(facts)),
        ("inputs", blobs(facts.inputs)),
        ("outputs", blobs(facts.outputs)),
        *([("state", states(facts.states))] if facts.states else []),
        ("MACs", described(facts.macs, lambda n: f"{exact(n)} = {millions(n or 0)}")),
        ("FLOPs", described(facts.flops, count)),
        ("parameters", exact(facts.params)),
        ("weights", f"{exact(facts.weight_bytes)} bytes{storage(facts)}"),
        ("activations", described(facts.activation_bytes, lambda n: f"{size(n)} read and written")),
        ("peak memory", peak(facts)),
    ]


def layers(facts: ModelFacts) -> str:
    """The number of layers."""
    splits = f", of which {plural(facts.splits, 'Split')}" if facts.splits else ""
    return f"{exact(facts.layers)}{splits}"


def storage(facts: ModelFacts) -> str:
    """The storage types of the weights."""
    if len(facts.storage) == 1:
        return f" of {facts.storage[0].storage}"
    parts = ", ".join(f"{size(w.nbytes)} {w.storage}" for w in facts.storage)
    return f" ({parts})" if parts else ""


def peak(facts: ModelFacts) -> str:
    """The peak memory, and its layer if all sizes are known."""
    text = described(facts.peak, size, "blob", "size")
    if facts.peak.unknown:
        return text
    place = "" if facts.peak_row is None else f", at {facts.rows[facts.peak_row].label}"
    return f"{text} of activations in light mode{place}"


def blobs(facts: Sequence[BlobFact], most: int = 4) -> str:
    """The first few blobs with their shapes."""
    shown = [f"{b.name} {extents(b.shape)}" for b in facts[:most]]
    more = f", and {len(facts) - most} more" if len(facts) > most else ""
    return ", ".join(shown) + more


def states(found: Sequence[State], most: int = 4) -> str:
    """The first few pairs of an input and the output of the call before, by kind."""
    lines: list[str] = []
    for kind, meaning in WORDS.items():
        pairs = [f"{each.input} ← {each.output}" for each in found if each.kind == kind]
        more = f", and {len(pairs) - most} more" if len(pairs) > most else ""
        if pairs:
            lines.append(f"{', '.join(pairs[:most])}{more} ({meaning})")
    return "; ".join(lines)


def totals(before: ModelFacts, after: ModelFacts) -> Sequence[tuple[str, Unit, Total, Total]]:
    """Return the compared totals: name, format, figure before, figure after."""
    splits = Total(before.splits), Total(after.splits)
    return [
        ("layers", exact, Total(before.layers), Total(after.layers)),
        *([("of which Splits", exact, *splits)] if any(n.known for n in splits) else []),
        ("MACs", count, before.macs, after.macs),
        ("FLOPs", count, before.flops, after.flops),
        ("parameters", count, Total(before.params), Total(after.params)),
        ("weight bytes", size, Total(before.weight_bytes), Total(after.weight_bytes)),
        ("activation bytes", size, before.activation_bytes, after.activation_bytes),
        ("peak memory", size, before.peak, after.peak),
    ]


def changed(before: Total, after: Total) -> str:
    """The relative difference; empty if it is unknown."""
    return "" if before.unknown or after.unknown else change(before.known, after.known)


def fates(comparison: ModelComparison) -> Sequence[str]:
    """Return the number of layers for each fate, and the types of removed and new layers."""
    met = [f"{comparison.count(f)} {f.value}" for f in Fate if comparison.count(f)]
    lines = [f"layers: {', '.join(met)}"]
    for fate in (Fate.FUSED, Fate.ELIMINATED, Fate.NEW):
        kinds = Counter(_kind(m) for m in comparison.matches if m.fate is fate)
        if kinds:
            lines.append(f"{fate.value}: {', '.join(f'{n} {k}' for k, n in kinds.most_common())}")
    return lines


def notes(comparison: ModelComparison) -> Sequence[str]:
    """Return the notes on both models, then the notes on one of them. The figures of models with
    inputs of different shapes do not tell what a rewrite gains."""
    before, after = comparison.before.notes, comparison.after.notes
    return [
        *(
            f"input '{name}' is {old} before and {new} after: --input-shape {name}=… "
            "gives both one shape"
            for name, old, new in differing_inputs(comparison.before, comparison.after)
        ),
        *(note for note in before if note in after),
        *(f"before: {note}" for note in before if note not in after),
        *(f"after: {note}" for note in after if note not in before),
    ]


def differing_inputs(before: ModelFacts, after: ModelFacts) -> list[tuple[str, str, str]]:
    """Return the inputs that have different shapes in two models, with both shapes as text."""
    shapes = {each.name: each.shape for each in after.inputs if each.is_known()}
    return [
        (each.name, extents(each.shape), extents(shapes[each.name]))
        for each in before.inputs
        if each.is_known() and shapes.get(each.name, each.shape) != each.shape
    ]


def _kind(match: ComparedLayer) -> str:
    if match.fate is Fate.FUSED and match.after is not None:
        return f"{match.row.type} into {match.after.type}"
    return match.row.type


def became(match: ComparedLayer) -> str:
    """The fate of a layer as text."""
    match match.fate:
        case Fate.FUSED if match.after is not None:
            return f"fused into {match.after.name or match.after.type}"
        case Fate.CHANGED if match.absorbed:
            return f"took over {', '.join(row.name or row.type for row in match.absorbed)}"
        case Fate.CHANGED:
            return f"changed: {', '.join(match.details)}"
        case _:
            return match.fate.value


def before_and_after(match: ComparedLayer, figure: Figure, unit: Unit) -> str:
    """A figure of a layer before and after; once if it is unchanged, empty for 0."""
    gone = match.fate in (Fate.FUSED, Fate.ELIMINATED)
    old = "" if match.before is None else or_blank(unit, figure(match.before))
    new = "" if match.after is None or gone else or_blank(unit, figure(match.after))
    return arrow(old, new)


def arrow(*texts: str) -> str:
    """The text before and after; once if it is unchanged."""
    return texts[0] if len(set(texts)) == 1 else " → ".join(text or "–" for text in texts)


def or_blank(unit: Unit, value: int | None) -> str:
    """A figure; empty for 0."""
    return "" if value == 0 else unit(value)


def shape_advice(facts: ModelFacts, given: Collection[str]) -> list[str]:
    """Return a note on the input shapes that a user should give for more static shapes. `given` are
    the inputs with a shape from the user."""
    vague = [b.name for b in facts.inputs if not b.is_known() and b.name not in given]
    if vague:
        options = " ".join(f"--input-shape {name}=…" for name in vague[:3])
        return [f"the file does not say the shape of {_named(vague)}: give it with {options}"]
    misfits = [r for r in facts.unknown_shapes() if r.family in ("convolution", "matrix")]
    if not misfits or not all(b.is_known() for b in misfits[0].inputs):
        return []
    note = f"{misfits[0].label} does not fit {blobs(misfits[0].inputs)}"
    if facts.inputs and facts.inputs[0].name not in given:
        option = f"--input-shape {facts.inputs[0].name}=…"
        note += f"; if that is not what the model is fed, give its shape with {option}"
    return [note]


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - 3} more inputs" if len(names) > 3 else ""
    return ", ".join(f"'{name}'" for name in names[:3]) + more
