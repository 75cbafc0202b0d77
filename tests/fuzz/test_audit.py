"""A file that passes `--audit` does not crash the runtime."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest
from ncnn_opt.driver.file_audit import Audit, audit_data
from ncnn_opt.formats.param_text import read_param_text
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.runtime.process import Failure, Runtime

from .advisories import CASES
from .mutations import Mutator
from .readers import SEPARATOR
from .seeds import seeds

EXAMPLES = Path(__file__).parents[2] / "examples"
REGRESSIONS = sorted((Path(__file__).parent / "regressions" / "weights").iterdir())
LIMIT = 256 << 20
MUTANTS = 250


@pytest.fixture(scope="module")
def runtime() -> Iterator[Runtime]:
    pytest.importorskip("ncnn")
    with Runtime(20) as process:
        yield process


def audited(folder: Path, param: bytes, weights: bytes, name: str = "m.param") -> Audit:
    """Audit a model in a folder."""
    (folder / name).write_bytes(param)
    (folder / "m.bin").write_bytes(weights)
    options = ReadOptions(str(folder / "m.bin"), allow_trailing=True)
    return audit_data(param, str(folder / name), options, LIMIT)


def crash(runtime: Runtime, folder: Path, audit: Audit, seed: int) -> str | None:
    """Load a model that passes in the runtime, and run it if a run is audited, too. Return the
    reason of a crash."""
    inputs: dict[str, np.ndarray] = {}
    outputs: Sequence[str] = ()
    text = (folder / "m.param").read_bytes()
    if not audit.gaps:
        rng = np.random.default_rng(seed)
        indices = b"Embed" in text
        for name, shape in audit.shapes.items():
            assert shape is not None
            floats = rng.uniform(-1, 1, shape).astype("f4")
            inputs[name] = rng.integers(0, 8, shape).astype("i4") if indices else floats
        graph = read_param_text(text, "m.param")
        read = {blob for layer in graph.layers for blob in layer.bottoms}
        made = (blob for layer in graph.layers if layer.type != "Input" for blob in layer.tops)
        outputs = [blob for blob in made if blob not in read]
    result = runtime.run(folder / "m.param", inputs, outputs)
    crashed = isinstance(result, Failure) and "ended" in result.reason.replace("crashed", "ended")
    return result.reason if crashed and isinstance(result, Failure) else None


def test_mutants_that_pass_do_not_crash(runtime: Runtime, tmp_path: Path) -> None:
    count = MUTANTS * int(os.environ.get("NCNN_OPT_EXAMPLES", "1"))
    random, passed = Random(MUTANTS), 0
    mutator = Mutator("weights", seeds("weights"), random)
    for i in range(count):
        data = mutator.random.choice(mutator.corpus)
        for _ in range(random.choice((0, 1, 1, 2))):
            data = mutator.mutate(data)
        param, _, weights = data.partition(SEPARATOR)
        audit = audited(tmp_path, param, weights)
        if not audit.findings:
            passed += 1
            assert crash(runtime, tmp_path, audit, i) is None, data
    assert count // 4 < passed < count * 3 // 4


@pytest.mark.parametrize("path", REGRESSIONS, ids=lambda p: p.name)
def test_corpus_of_fuzzing(path: Path, runtime: Runtime, tmp_path: Path) -> None:
    param, _, weights = path.read_bytes().partition(SEPARATOR)
    audit = audited(tmp_path, param, weights)
    assert audit.findings or crash(runtime, tmp_path, audit, 0) is None


@pytest.mark.parametrize("name", CASES)
def test_file_of_an_advisory(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    audit = audited(tmp_path, case.param, case.weights, "m.param.bin" if case.binary else "m.param")
    assert case.words in "\n".join(map(str, audit.findings))


def test_each_advisory_has_a_file() -> None:
    named = {case.advisory for case in CASES.values()}
    assert named == {"6686", "6902", "6913", "6914", "6915", "6922", "6937", "6939", "7008"}
    assert len(CASES) > 40


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.param")), ids=lambda p: p.name)
def test_examples_pass(path: Path) -> None:
    weights = None if path.with_suffix(".bin").exists() else "none"
    audit = audit_data(path.read_bytes(), str(path), ReadOptions(weights))
    shared = {"residual.param"}  # its blobs have several readers, and no Split
    assert {each.problem[:40] for each in audit.findings} == (
        {"several layers read it without a Split; "} if path.name in shared else set()
    )
