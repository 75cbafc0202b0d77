"""Fuzzes one reader for a while: `python -m fuzz.worker READER ENGINE SECONDS SEED FOLDER`."""

import json
import sys
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

# Atheris must see the modules being imported, so that nothing of the project is imported here.
if TYPE_CHECKING:
    from .limits import Finding

LARGEST = 1 << 16
"""Bytes of the largest input that is tried."""


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

        result = judge(self.reader, data)
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
        (self.folder / f"{self.reader}.json").write_text(json.dumps(counts))


def with_atheris(reader: str, seconds: float, seed: int, folder: Path) -> None:
    """Guided by the coverage of our code and of xDSL's parser. Ends the process."""
    import atheris  # pyright: ignore

    engine: Any = atheris
    with engine.instrument_imports(include=["ncnn_opt", "xdsl.parser", "xdsl.utils"]):
        from .seeds import seeds
    from .mutations import Mutator

    mutator = Mutator(reader, seeds(reader), Random(seed))
    log = Log(reader, folder)
    begin, found = folder / f"{reader}.seeds", folder / f"{reader}.corpus"
    for place in (begin, found):
        place.mkdir(exist_ok=True)
    for i, data in enumerate(seeds(reader)):
        (begin / str(i)).write_bytes(data)

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        if seed % 4 == 0:
            return engine.Mutate(data, most)
        mutator.random.seed(seed)
        return mutator.mutate(data, most)

    options = {
        "max_total_time": int(seconds),
        "seed": seed,
        "max_len": LARGEST,
        "timeout": 0,  # its alarm would take the place of ours
        "rss_limit_mb": 0,
        "verbosity": 0,
    }
    flags = [f"-{name}={value}" for name, value in options.items()]
    arguments = [sys.argv[0], *flags, str(found), str(begin)]
    engine.Setup(arguments, log.judge, custom_mutator=mutate)
    engine.Fuzz()


def with_hypothesis(reader: str, seconds: float, seed: int, folder: Path) -> None:
    """Inputs drawn by Hypothesis, which makes those that fail smaller."""
    import hypothesis
    from hypothesis import strategies as st
    from hypothesis.errors import HypothesisException

    from .limits import Finding
    from .mutations import Mutator
    from .seeds import seeds

    log = Log(reader, folder)
    corpus = seeds(reader)
    mutator = Mutator(reader, corpus, Random())
    end = time.monotonic() + seconds
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
    reader, engine, seconds, seed, folder = sys.argv[1:]
    run = with_atheris if engine == "atheris" else with_hypothesis
    run(reader, float(seconds), int(seed), Path(folder))


if __name__ == "__main__":
    main()
