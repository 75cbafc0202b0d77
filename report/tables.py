"""The table of all layers of a page."""

from collections.abc import Mapping, Sequence

from ..formats.markup import Markup, element, joined, table
from .model import BlobFact, LayerRow, ModelFacts
from .model_comparison import ComparedLayer, Fate, ModelComparison
from .noise import in_words, share_of
from .overlays import milliseconds
from .ranges import HEADS, length
from .ranges import cells as range_cells
from .shared_texts import Figure, Unit, arrow, became, before_and_after, or_blank
from .units import count, extents, share, size

_FIGURES: Sequence[tuple[str, Figure, Unit]] = (
    ("MACs", lambda row: row.macs, count),
    ("FLOPs", lambda row: row.flops, count),
    ("parameters", lambda row: row.params, count),
    ("weights", lambda row: row.weight_bytes, size),
    ("activations", lambda row: row.activation_bytes, size),
    ("memory", lambda row: row.alive, size),
)
"""The columns of figures: name, figure, unit."""
_WORDY = ("type", "name", "output", "what became of it", "computes in", "parameters set")
"""The columns of words."""


def model_table(facts: ModelFacts) -> Markup:
    """Return a table with a line for each layer, with the id `r<row>`."""
    most = _most(facts.rows)
    lines: list[Markup] = []
    for row in facts.rows:
        cells = _first_cells(row.index, row, f"#n{row.index}")
        cells += [*_arithmetic([(facts, row)]), *_noise(facts.noise, row)]
        cells += _ranges(facts, row)
        for name, figure, unit in _FIGURES:
            value = figure(row)
            cells.append(_cell(or_blank(unit, value), value, most[name]))
            if name == "MACs":
                cells.append(_cell(share(value, facts.macs.known) if value else "", value))
        cells.append(_words(_settings(row), "l set"))
        lines.append(_line(row.index, cells, row))
    names = [name for name, _, _ in _FIGURES]
    names.insert(1, "share")
    first = ("#", "type", "name", "output", *_arithmetic_heads(facts), *_noise_head(facts))
    ranges = HEADS if facts.ranges else ()
    return _table((*first, *ranges, *names, "parameters set"), lines)


def comparison_table(comparison: ModelComparison) -> Markup:
    """Return a table with a line for each match of two models, with the id `r<match>`."""
    most = _most([*comparison.before.rows, *comparison.after.rows])
    lines: list[Markup] = []
    for i, match in enumerate(comparison.matches):
        row = match.row
        cells = _first_cells(i, row, f"#{'b' if match.before is not None else 'a'}{row.index}")
        cells.insert(3, element("td", _fate(match), class_="w l"))
        after = None if match.fate is Fate.FUSED else match.after
        sides = ((comparison.before, match.before), (comparison.after, after))
        cells += [*_arithmetic(sides), *_noise(comparison.after.noise, match.after)]
        for name, figure, unit in _FIGURES:
            cells.append(_cell(before_and_after(match, figure, unit), figure(row), most[name]))
        lines.append(_line(i, cells, row, match))
    names = [name for name, _, _ in _FIGURES]
    heads = ("#", "type", "name", "what became of it", "output")
    measured = _arithmetic_heads(comparison.before, comparison.after)
    return _table((*heads, *measured, *_noise_head(comparison.after), *names), lines)


def _arithmetic_heads(*models: ModelFacts) -> Sequence[str]:
    kinds = ("computes in",) if any(facts.has_integers for facts in models) else ()
    return (*kinds, "time") if any(facts.times for facts in models) else kinds


def _arithmetic(sides: Sequence[tuple[ModelFacts, LayerRow | None]]) -> list[Markup]:
    """Return the cells with the arithmetic and the measured time of a layer, in one model or before
    and after; only those columns that have values."""
    cells: list[Markup] = []
    rows = [row for _, row in sides]
    if any(facts.has_integers for facts, _ in sides):
        cells.append(_words(arrow(*("" if row is None else row.kind for row in rows))))
    if any(facts.times for facts, _ in sides):
        times = [None if row is None else facts.times.get(row.name) for facts, row in sides]
        texts = arrow(*("" if ms is None else milliseconds(ms) for ms in times))
        last = next((ms for ms in reversed(times) if ms is not None), None)
        most = max(ms for facts, _ in sides for ms in facts.times.values())
        nanoseconds = None if last is None else round(1e6 * last)
        cells.append(_cell(texts, nanoseconds, round(1e6 * most)))
    return cells


def _noise_head(facts: ModelFacts) -> Sequence[str]:
    return ("noise",) if facts.noise else ()


def _noise(noise: Mapping[str, float], row: LayerRow | None) -> list[Markup]:
    """Return the cell with the quantization noise of a layer and its bar; no cell if no layer was
    measured."""
    snr = None if row is None else noise.get(row.name)
    if snr is None:
        return [_cell("", None)] if noise else []
    return [_cell(in_words(snr), round(1000 * share_of(snr)), 1000)]


def _ranges(facts: ModelFacts, row: LayerRow) -> list[Markup]:
    """Return the cells of a layer's range, the last one with a bar against float16's limit."""
    if not facts.ranges:
        return []
    *texts, last = range_cells(facts.ranges, row.name)
    bar = round(1000 * length(facts.ranges, row.name))
    return [*(_words(text) for text in texts), _cell(last, bar, 1000)]


def _most(rows: Sequence[LayerRow]) -> dict[str, int]:
    """Return the highest figure of each column."""
    return {name: max((f(row) or 0 for row in rows), default=0) for name, f, _ in _FIGURES}


def _table(heads: Sequence[str], lines: Sequence[Markup]) -> Markup:
    return table(heads, lines, _WORDY, id="layers", class_="layers")


def _first_cells(index: int, row: LayerRow, target: str) -> list[Markup]:
    name = row.name or "–"
    link = element("a", name, href=target) if row.is_drawn else name
    return [
        _cell(str(index), index),
        element("td", element("i", class_=f"dot f-{row.family}"), row.type, class_="w"),
        element("th", link, scope="row"),
        _words(extents(row.shape) if row.outputs else "–"),
    ]


def _line(
    index: int, cells: Sequence[Markup], row: LayerRow, match: ComparedLayer | None = None
) -> Markup:
    return element(
        "tr",
        joined(cells),
        id=f"r{index}",
        class_=match.fate.value if match is not None else None,
        data_reads=_blobs(row.inputs),
        data_makes=_blobs(row.outputs),
        data_nodes=_nodes(row, match),
        data_set=_settings(row) if match is not None else None,
    )


def _nodes(row: LayerRow, match: ComparedLayer | None) -> str:
    """Return the ids of a line's nodes in the graph."""
    if match is None:
        return f"n{row.index}"
    nodes = [f"b{match.before.index}"] if match.before is not None else []
    return " ".join([*nodes, f"a{match.after.index}"] if match.after is not None else nodes)


def _fate(match: ComparedLayer) -> Markup:
    first = element("b", match.fate.value, class_=f"tag {match.fate.value}")
    words = became(match).removeprefix(match.fate.value)
    if match.absorbed:
        words = f": {', '.join([words, *match.details])}"
    return joined([first, words])


def _words(text: str, more: str = "") -> Markup:
    return element("td", text, class_=f"w {more}".rstrip())


def _cell(text: str, value: int | None, most: int = 0) -> Markup:
    """Return a cell that sorts by its value, with a bar relative to `most`."""
    bar = f"--bar:{100 * value / most:.0f}%" if value and most else None
    return element("td", text, data_v=-1 if value is None else value, style=bar)


def _settings(row: LayerRow) -> str:
    return ", ".join(f"{name}={value}" for name, value in (row.settings | row.derived).items())


def _blobs(blobs: Sequence[BlobFact]) -> str:
    return ", ".join(f"{b.name} {extents(b.shape)}" for b in blobs)
