"""How often each rewrite fires in the differential tests: what `pytest --fired` prints."""

from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

from ncnn_opt.dialects.ncnn import LAYERS
from ncnn_opt.transforms import get_all_passes, remarks
from ncnn_opt.transforms.canonicalization import patterns_for
from ncnn_opt.transforms.counting import FirstOf, RewriteCounter, counting
from ncnn_opt.transforms.pattern_pass import PatternPass
from ncnn_opt.transforms.remarks import Remark, listening

from .nets import Net


@dataclass
class Tally:
    """What happened while it listened; rewrites not within tests that count themselves."""

    models: int = 0
    """Models that were written."""
    remarks: Counter[str] = field(default_factory=Counter[str])
    rewrites: RewriteCounter = field(default_factory=RewriteCounter)

    @contextmanager
    def listening(self) -> Generator[None]:
        """Adds what happens in the block."""
        write = Net.write

        def written(net: Net, folder: Path, stem: str = "net") -> Path:
            self.models += 1
            return write(net, folder, stem)

        def made(rewrite: str, layers: tuple[str, ...], note: str = "") -> Remark:
            self.remarks[rewrite] += 1
            return Remark(rewrite, layers, note)

        with ExitStack() as stack:
            stack.enter_context(counting(self.rewrites))
            stack.enter_context(mock.patch.object(Net, "write", written))
            # A remark is only made if somebody listens; then it is counted, whoever that is.
            stack.enter_context(listening(lambda _: None))
            stack.enter_context(mock.patch.object(remarks, "Remark", made))
            yield

    def lines(self) -> Iterator[str]:
        """The tables."""
        yield f"{self.models} models"
        yield from _table("rewrites by pattern", dict.fromkeys(patterns(), 0) | self.rewrites.fired)
        yield from _table("remarks by pass", dict.fromkeys(passes(), 0) | self.remarks)


def patterns() -> list[str]:
    """The names of all patterns that `canonicalize` or a pass applies."""
    classes = [load() for load in get_all_passes().values()]
    of_passes = [cls().patterns() for cls in classes if issubclass(cls, PatternPass)]
    every = [p for patterns in (*of_passes, *map(patterns_for, LAYERS)) for p in patterns]
    inner = [each for p in every for each in (p.patterns if isinstance(p, FirstOf) else (p,))]
    return sorted({type(pattern).__name__ for pattern in inner})


def passes() -> list[str]:
    """The names of all passes of patterns."""
    return [name for name, load in get_all_passes().items() if issubclass(load(), PatternPass)]


def _table(title: str, counts: Mapping[str, int]) -> Iterator[str]:
    yield f"-- {title}"
    for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        yield f"{count:8}  {name}"
