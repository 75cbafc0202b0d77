"""How often each rewrite fires in the differential tests, and how often what it left was compared:
what `pytest --fired` prints."""

from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

from ncnn_opt.dialects.ncnn import LAYERS
from ncnn_opt.transforms import get_all_passes
from ncnn_opt.transforms.canonicalization.patterns import patterns_for
from ncnn_opt.transforms.rewriting import remarks
from ncnn_opt.transforms.rewriting.observers import observing
from ncnn_opt.transforms.rewriting.pattern_pass import PatternPass
from ncnn_opt.transforms.rewriting.pattern_set import PatternSet
from ncnn_opt.transforms.rewriting.remarks import Remark, RemarkKind, listening
from ncnn_opt.transforms.rewriting.rewrite_counter import RewriteCounter

from .nets import Net

NETS = "nets"
"""The column of the nets in which a pattern fired; the others count comparisons of such nets."""


@dataclass
class Tally:
    """What happened while it listened; rewrites not within tests that count themselves."""

    models: int = 0
    """Models that were written."""
    remarks: Counter[str] = field(default_factory=Counter[str])
    fired: Counter[str] = field(default_factory=Counter[str])
    """Rewrites by pattern."""
    columns: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])
    """Nets and comparisons in which a pattern had fired, by what was different from usual; all of
    them as the pattern `""`."""

    def add(
        self, fired: Mapping[str, int], compared: Mapping[str, int], traits: Iterable[str]
    ) -> None:
        """Counts a net that was compared."""
        self.fired.update(fired)
        total = sum(compared.values())
        for column, count in {NETS: 1, **compared, **dict.fromkeys(traits, total)}.items():
            row = self.columns.setdefault(column, Counter())
            row.update(dict.fromkeys(("", *fired), count))

    @contextmanager
    def listening(self) -> Generator[None]:
        """Adds what happens in the block."""
        write, others = Net.write, RewriteCounter()

        def written(net: Net, folder: Path, stem: str = "net") -> Path:
            self.models += 1
            return write(net, folder, stem)

        def made(
            rewrite: str, layers: tuple[str, ...], note: str = "", kind: RemarkKind = "done"
        ) -> Remark:
            self.remarks[rewrite] += 1
            return Remark(rewrite, layers, note, kind)

        with ExitStack() as stack:
            stack.enter_context(observing(others))
            stack.enter_context(mock.patch.object(Net, "write", written))
            # A remark is only made if somebody listens; then it is counted, whoever that is.
            stack.enter_context(listening(lambda _: None))
            stack.enter_context(mock.patch.object(remarks, "Remark", made))
            token = _CURRENT.set(self)
            try:
                yield
            finally:
                _CURRENT.reset(token)
                self.fired.update(others.fired)

    def lines(self) -> Iterator[str]:
        """The tables."""
        yield f"{self.models} models"
        yield from self.by_pattern()
        yield "-- remarks by pass"
        for name, count in _sorted(dict.fromkeys(passes(), 0) | self.remarks):
            yield f"{count:8}  {name}"

    def by_pattern(self) -> Iterator[str]:
        """The table of the patterns: the rewrites, the nets that had some, and how often these were
        compared under which conditions."""
        rows = _sorted({"": 0} | dict.fromkeys(patterns(), 0) | self.fired)
        heads = ["rewrites", *self.columns]
        yield "  ".join(heads)
        for name, count in rows:
            counts = [count if name else self.fired.total()]
            counts += [row[name] for row in self.columns.values()]
            cells = (f"{n:{len(head)}}" for n, head in zip(counts, heads, strict=True))
            yield "  ".join((*cells, name or "all"))


_CURRENT: ContextVar[Tally | None] = ContextVar("tally", default=None)


def record(fired: Mapping[str, int], compared: Mapping[str, int], traits: Iterable[str]) -> None:
    """Counts a net that was compared, if a tally listens."""
    tally = _CURRENT.get()
    if tally is not None:
        tally.add(fired, compared, traits)


def patterns() -> list[str]:
    """The names of all patterns that `canonicalize` or a pass applies."""
    classes = [load() for load in get_all_passes().values()]
    of_passes = [cls().patterns() for cls in classes if issubclass(cls, PatternPass)]
    every = [p for patterns in (*of_passes, *map(patterns_for, LAYERS)) for p in patterns]
    inner = [each for p in every for each in (p.patterns if isinstance(p, PatternSet) else (p,))]
    return sorted({type(pattern).__name__ for pattern in inner})


def passes() -> list[str]:
    """The names of all passes of patterns."""
    return [name for name, load in get_all_passes().items() if issubclass(load(), PatternPass)]


def _sorted(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """The largest first; before them what stands for all."""
    return sorted(counts.items(), key=lambda item: (item[0] != "", -item[1], item[0]))
