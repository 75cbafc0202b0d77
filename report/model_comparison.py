"""Comparison of two models: the layers of both, matched by the names of layers and blobs."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from .model import LayerRow, ModelFacts

_BOOKKEEPING = ("Split", "Noop")
"""Layers that an exporter inserts and names as it needs them."""


class Fate(Enum):
    """The result of the comparison for one layer."""

    SAME = "same"
    CHANGED = "changed"
    FUSED = "fused"
    ELIMINATED = "eliminated"
    NEW = "new"


@dataclass
class ComparedLayer:
    """A layer of the first model, of the second model, or of both."""

    fate: Fate
    before: LayerRow | None
    after: LayerRow | None
    """For a fused layer, the layer that it was fused into."""
    details: list[str] = field(default_factory=list[str])
    """The differences, for a changed layer."""
    absorbed: list[LayerRow] = field(default_factory=list[LayerRow])
    """The layers that were fused into this one."""

    @property
    def row(self) -> LayerRow:
        """The layer in the first model, or in the second if it is new."""
        row = self.before or self.after
        assert row is not None  # a match has a layer of one model at least
        return row


@dataclass
class ModelComparison:
    """Two models, and a match for each layer: the layers of the first model in their order, and new
    layers after the layer that they follow."""

    before: ModelFacts
    after: ModelFacts
    matches: list[ComparedLayer]

    def fate_before(self) -> dict[int, ComparedLayer]:
        """Return the match of each row of the first model."""
        return {m.before.index: m for m in self.matches if m.before is not None}

    def fate_after(self) -> dict[int, ComparedLayer]:
        """Return the match of each row of the second model."""
        own = (Fate.SAME, Fate.CHANGED, Fate.NEW)
        return {m.after.index: m for m in self.matches if m.after is not None and m.fate in own}

    def count(self, fate: Fate) -> int:
        """Return the number of layers with this fate."""
        return sum(m.fate is fate for m in self.matches)


def compare(before: ModelFacts, after: ModelFacts) -> ModelComparison:
    """Match the layers of the first model with the layers of the second."""
    kept = _pair(before.rows, after.rows)
    consumers: dict[int, list[LayerRow]] = {}
    for row in before.rows:
        for b in row.inputs:
            if b.producer is not None:
                consumers.setdefault(b.producer, []).append(row)
    makers = {b.name: row for row in after.rows for b in row.outputs}
    matches: list[ComparedLayer] = []
    for row in before.rows:
        if (other := kept.get(row.index)) is not None:
            details = _differences(row, other)
            fate = Fate.CHANGED if details else Fate.SAME
            matches.append(ComparedLayer(fate, row, other, details))
            continue
        host = None if row.identity else _host(row, before.rows, kept, consumers, makers)
        matches.append(ComparedLayer(Fate.ELIMINATED if host is None else Fate.FUSED, row, host))
    own = {m.after.index: m for m in matches if m.after is not None and m.fate is not Fate.FUSED}
    for match in matches:
        if match.fate is Fate.FUSED and match.before is not None and match.after is not None:
            host_match = own[match.after.index]
            host_match.absorbed.append(match.before)
            host_match.fate = Fate.CHANGED
    _insert_new(matches, after.rows, set(own))
    return ModelComparison(before, after, matches)


def _pair(before: Sequence[LayerRow], after: Sequence[LayerRow]) -> dict[int, LayerRow]:
    """Return the row of the second model for each row of the first that has one, by index. Match
    layers with the same name and type first, then with the same name, then with the same first
    output. The names of Splits and Noops mean nothing: they match if they read the same blob."""
    kept: dict[int, LayerRow] = {}
    taken: set[int] = set()
    for key in range(3):
        found: dict[tuple[str, ...], list[LayerRow]] = {}
        for row in after:
            if row.index not in taken:
                found.setdefault(_key(row, key), []).append(row)
        for row in before:
            candidates = found.get(_key(row, key))
            if row.index not in kept and candidates:
                other = candidates.pop(0)
                kept[row.index] = other
                taken.add(other.index)
    return kept


def _key(row: LayerRow, key: int) -> tuple[str, ...]:
    if row.type in _BOOKKEEPING:
        return (row.type, "at", *(b.name for b in row.inputs))
    if key == 0 and row.name:
        return (row.name, row.type)
    if key == 1 and row.name:
        return (row.name,)
    return (row.type, "makes", *(b.name for b in row.outputs[:1]))


def _host(
    row: LayerRow,
    rows: Sequence[LayerRow],
    kept: dict[int, LayerRow],
    consumers: dict[int, list[LayerRow]],
    makers: dict[str, LayerRow],
) -> LayerRow | None:
    """Return the layer that a removed layer was fused into: a kept layer before it that now writes
    its blob, or the blob of a removed layer after it."""
    upstream = _kept_before(row, rows, kept)
    seen: set[int] = set()
    current: LayerRow | None = row
    while current is not None and current.index not in seen and current.index not in kept:
        seen.add(current.index)
        for b in current.outputs:
            maker = makers.get(b.name)
            if maker is not None and maker.index in upstream:
                return maker
        current = next(iter(consumers.get(current.index, [])), None)
    return None


def _kept_before(row: LayerRow, rows: Sequence[LayerRow], kept: dict[int, LayerRow]) -> set[int]:
    """Return the indices in the second model of the nearest kept layers before a layer."""
    found: set[int] = set()
    pending, seen = [row], {row.index}
    while pending:
        for b in pending.pop().inputs:
            if b.producer is None or b.producer in seen:
                continue
            seen.add(b.producer)
            if b.producer in kept:
                found.add(kept[b.producer].index)
            else:
                pending.append(rows[b.producer])
    return found


def _differences(before: LayerRow, after: LayerRow) -> list[str]:
    """Return the differences of a layer before and after, as text."""
    found: list[str] = []
    if before.type != after.type:
        found.append(f"{before.type} became {after.type}")
    for name in {**before.settings, **after.settings}:
        old, new = before.settings.get(name), after.settings.get(name)
        if old != new:
            found.append(f"{name} {_or_default(old)} → {_or_default(new)}")
    if before.shape != after.shape:
        found.append("another output shape")
    old_storage = sorted({w.storage for w in before.weights})
    new_storage = sorted({w.storage for w in after.weights})
    if old_storage and new_storage and old_storage != new_storage:
        found.append(f"weights {', '.join(old_storage)} → {', '.join(new_storage)}")
    elif before.params != after.params:
        found.append(f"{before.params:,} → {after.params:,} parameters")
    return found


def _or_default(value: str | None) -> str:
    return "default" if value is None else value or "none"


def _insert_new(matches: list[ComparedLayer], after: Sequence[LayerRow], own: set[int]) -> None:
    """Insert the layers that only the second model has, each after the layer that it follows."""
    for row in after:
        if row.index in own:
            continue
        places = {m.after.index: i for i, m in enumerate(matches) if m.after is not None}
        at = next((places[i] for i in range(row.index - 1, -1, -1) if i in places), -1)
        matches.insert(at + 1, ComparedLayer(Fate.NEW, None, row))
