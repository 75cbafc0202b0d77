"""Fuzzes one reader for a while: `python -m fuzz.worker READER ENGINE SECONDS SEED FOLDER`."""

import faulthandler
import gc
import json
import shutil
import signal
import sys
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any
from zlib import crc32

# Atheris must see the modules being imported, so that nothing of the project is imported here.
if TYPE_CHECKING:
    from .limits import Finding

LARGEST = 1 << 16
"""Bytes of the largest input that is tried."""


STUCK_SECONDS = 40
"""Of the processor. In a library's own code the handler of a signal waits for its end; after these
the process says where it is, and ends."""

INSTRUMENTED = (
    *("ncnn_opt.formats", "ncnn_opt.frontends", "ncnn_opt.targets", "ncnn_opt.transforms"),
    *("ncnn_opt.frontends.mlir.parsing", "ncnn_opt.dialects.fused", "xdsl.parser"),
)
"""Whose coverage is the guide: what decides. (The rest would make it half as fast.)"""


class Log:
    """Counts, and what was found: for each defect the smallest input that shows it."""

    def __init__(self, reader: str, folder: Path) -> None:
        self.reader = reader
        self.folder = folder
        self.inputs = 0
        self.accepted = 0
        self.sizes: dict[str, int] = {}
        self._start = time.monotonic()

    def judge(self, data: bytes) -> "bool | Finding":
        """Tries an input and writes down what came of it."""
        from .limits import judge

        signal.setitimer(signal.ITIMER_VIRTUAL, STUCK_SECONDS)
        result = judge(self.reader, data)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        self.inputs += 1
        if isinstance(result, bool):
            self.accepted += result
        elif len(data) < self.sizes.get(result.slug, LARGEST + 1):
            self.sizes[result.slug] = len(data)
            place = self.folder / self.reader
            place.mkdir(parents=True, exist_ok=True)
            (place / result.slug).write_bytes(data)
            (place / f"{result.slug}.txt").write_text(f"{result.what}\n\n{result.details}")
        if self.inputs % 100 == 0 or not isinstance(result, bool):
            self.save()
        return result

    def save(self) -> None:
        """Writes the counts; an engine may end the process without a word."""
        counts = {
            "inputs": self.inputs,
            "accepted": self.accepted,
            "findings": sorted(self.sizes),
            "seconds": time.monotonic() - self._start,
        }
        place = self.folder / f"{self.reader}.json"
        place.with_suffix(".new").write_text(json.dumps(counts))
        place.with_suffix(".new").replace(place)  # it is read meanwhile


def with_atheris(reader: str, seconds: float, seed: int, folder: Path) -> None:
    """Guided by coverage. Ends the process."""
    import atheris  # pyright: ignore

    engine: Any = atheris
    start = time.monotonic()
    with engine.instrument_imports(include=INSTRUMENTED):
        from .limits import load_all
        from .seeds import seeds

        load_all()
    from .mutations import Mutator

    mutator = Mutator(reader, seeds(reader), Random(seed))
    log = Log(reader, folder)
    begin, found = folder / f"{reader}.seeds", folder / f"{reader}.corpus"
    shutil.rmtree(begin, ignore_errors=True)
    for place in (begin, found):
        place.mkdir(exist_ok=True)
    # All of them take a while: no more than a tenth of the time.
    corpus = seeds(reader)
    some = mutator.random.sample(corpus, min(len(corpus), int(10 * seconds)))
    for i, data in enumerate(some):
        (begin / str(i)).write_bytes(data)

    def attempt(data: bytes) -> int:
        # What is refused is a dead end for all that comes after reading: little of it is kept.
        return 0 if log.judge(data) is True or crc32(data) % 8 == 0 else -1

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        if seed % 10 == 0:
            return engine.Mutate(data, most)
        mutator.random.seed(seed)
        return mutator.mutate(data, most)

    options = {
        "max_total_time": max(1, int(seconds - (time.monotonic() - start))),
        "seed": seed,
        "max_len": LARGEST,
        "timeout": 1_000_000,  # 0 is an alarm after one second, which ends the process
        "rss_limit_mb": 0,
        "report_slow_units": 1_000_000,
        "artifact_prefix": f"{folder / reader}-",
        "verbosity": 0,
    }
    flags = [f"-{name}={value}" for name, value in options.items()]
    arguments = [sys.argv[0], *flags, str(found), str(begin)]
    engine.Setup(arguments, attempt, custom_mutator=mutate)
    engine.Fuzz()


def with_hypothesis(reader: str, seconds: float, seed: int, folder: Path) -> None:
    """Inputs drawn by Hypothesis, which makes those that fail smaller."""
    start = time.monotonic()
    import hypothesis
    from hypothesis import strategies as st
    from hypothesis.errors import HypothesisException

    from .limits import Finding
    from .mutations import Mutator
    from .seeds import seeds

    log = Log(reader, folder)
    corpus = seeds(reader)
    mutator = Mutator(reader, corpus, Random())
    end = max(start + seconds, time.monotonic() + 1)
    settings = hypothesis.settings(
        max_examples=500,
        deadline=None,
        database=None,
        suppress_health_check=list(hypothesis.HealthCheck),  # pyright: ignore[reportArgumentType]
    )

    class Found(Exception):
        pass

    @settings
    @hypothesis.given(st.sampled_from(corpus), st.randoms(use_true_random=False))
    def attempt(data: bytes, random: Random) -> None:
        mutator.random = random
        result = log.judge(mutator.mutate(data, LARGEST)) if time.monotonic() < end else False
        if isinstance(result, Finding):
            raise Found(result.slug)

    while time.monotonic() < end:
        seed += 1
        try:
            hypothesis.seed(seed)(attempt)()
        except (Found, HypothesisException, BaseExceptionGroup):
            continue
    log.save()


def main() -> None:
    """Runs the engine that is asked for."""
    faulthandler.register(signal.SIGVTALRM, all_threads=False, chain=True)
    gc.set_threshold(20_000, 20, 20)  # models are small, and what is imported is much
    reader, engine, seconds, seed, folder = sys.argv[1:]
    run = with_atheris if engine == "atheris" else with_hypothesis
    run(reader, float(seconds), int(seed), Path(folder))


if __name__ == "__main__":
    main()
