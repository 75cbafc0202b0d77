"""Small models with odd weights, calibrated with odd samples, by every command, method and option
of `ncnn-quantize`: each call succeeds with a model that runs, or gives one message and writes
nothing.

    python -m tests.differential.degenerate 5000 --first 0

checks so many, and prints how often what was drawn."""

import argparse
import contextlib
import io
import json
import os
import random
import re
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from ncnn_opt.interpreters.errors import RunError
from ncnn_opt.quantization import sessions
from ncnn_opt.quantization.worker import Worker
from ncnn_opt.runtime.host import Refused
from ncnn_opt.runtime.messages import receive, send
from ncnn_opt.tools import ncnn_quantize_main, ncnn_table_main

from .nets import Array, Net, Number

WEIGHTS: Mapping[str, Callable[[Array], Array]] = {
    "normal": lambda w: w,
    "zero": lambda w: w * 0,
    "constant": lambda w: np.full_like(w, 0.5),
    "tiny": lambda w: w * np.float32(1e-38),
    "small": lambda w: w * np.float32(1e-12),
    "huge": lambda w: w * np.float32(1e30),
    "one large": lambda w: np.where(np.arange(w.size).reshape(w.shape) == 0, np.float32(1e20), w),
    "rows of zeros": lambda w: w * (np.arange(len(w)).reshape(-1, *[1] * (w.ndim - 1)) % 2),
    "not finite": lambda w: np.where(np.arange(w.size).reshape(w.shape) == 1, np.float32("nan"), w),
}
OVERFLOWING = frozenset({"huge", "one large"})
"""Those that make infinities of the usual errors of int8."""
USUAL_WEIGHTS = 0.75
"""How often weights are normal."""

SAMPLES: Mapping[str, Callable[[Array], Array]] = {
    "normal": lambda x: x,
    "equal": lambda x: np.repeat(x[:1], len(x), 0),
    "two different": lambda x: x[np.arange(len(x)) % 2],
    "constant": lambda x: np.full_like(x, 0.3),
    "constant each": lambda x: x * 0 + x[:, *[slice(0, 1)] * (x.ndim - 1)],
    "zero": lambda x: x * 0,
    "one not zero": lambda x: x * (np.arange(len(x)).reshape(-1, *[1] * (x.ndim - 1)) == 0),
    "one element": lambda x: x * (np.arange(x.size).reshape(x.shape) == 0),
    "tiny": lambda x: x * np.float32(1e-12),
    "tinier": lambda x: x * np.float32(1e-30),
    "denormal": lambda x: x * np.float32(1e-41),
    "large": lambda x: x * np.float32(1e9),
    "huge": lambda x: x * np.float32(1e30),
    "hugest": lambda x: np.sign(x) * np.float32(3e38),
    "one huge": lambda x: np.where(np.arange(x.size).reshape(x.shape) == 3, np.float32(1e35), x),
    "offset": lambda x: x + np.float32(1e6),
    "signs": lambda x: np.sign(x),
    "infinite": lambda x: np.where(np.arange(x.size).reshape(x.shape) == 2, np.float32("inf"), x),
    "NaN": lambda x: np.where(np.arange(x.size).reshape(x.shape) == 1, np.float32("nan"), x),
}
COUNTS = (1, 1, 2, 3, 5, 8)

METHODS = ("best", "mse", "kl", "minmax", "percentile", "aciq")
WEIGHT_METHODS = (None, "minmax", "mse", "aciq")
KINDS = ("quantize", "quantize", "quantize", "calibrate", "merge", "measure", "weights", "table")


_ALLOCATORS: list[Any] = []
"""The one of all workers: it must outlive their blobs."""


def make_worker() -> Worker:
    """A worker in this process."""
    worker = Worker()
    if not _ALLOCATORS:
        _ALLOCATORS.append(worker.ncnn.PoolAllocator())
    worker.allocator = _ALLOCATORS[0]
    return worker


class Local:
    """A session without a process, which takes longer to start than a small model to run."""

    def __init__(self) -> None:
        self._worker = make_worker()

    def call(self, method: str, *arguments: object) -> Any:
        try:
            return passed(getattr(self._worker, method)(*passed(arguments)))
        except Refused as e:
            raise RunError(str(e)) from None

    def kill(self) -> None:
        """There is nothing to end."""

    close = kill


def passed(value: object) -> Any:
    """A value as it arrives in another process."""
    stream = io.BytesIO()
    send(stream, {"value": value})
    stream.seek(0)
    return receive(stream)["value"]


@contextlib.contextmanager
def locally() -> Generator[None]:
    """Let models run in this process."""
    theirs: Any = sessions.start
    sessions.start = Local  # pyright: ignore
    try:
        yield
    finally:
        sessions.start = theirs


@dataclass
class Case:
    """A model, its samples, and a command."""

    seed: int
    drawn: dict[str, str] = field(default_factory=dict[str, str])
    weights: set[str] = field(default_factory=set[str])
    """The kinds of all weights."""
    lines: list[Sequence[str]] = field(default_factory=list[Sequence[str]])
    """The command lines, one after the other."""
    models: list[str] = field(default_factory=list[str])
    """The models that they write."""

    def prepare(self, folder: Path) -> None:
        """Write the model and its samples."""
        self._rng = random.Random(self.seed)
        pick = self._rng.choice
        net, shape = self._net()
        net.write(folder, "model")
        usual = self._rng.random() < 0.1
        kind = "normal" if usual else pick(list(SAMPLES))
        count = pick(COUNTS)
        self.drawn |= {"samples": kind, "count": str(count)}
        with np.errstate(all="ignore"):
            samples = SAMPLES[kind](net.normal(count, *shape)).astype("f4")
        np.save(folder / "x.npy", samples)
        np.savez(folder / "x.npz", data=samples)
        for i, sample in enumerate(samples):
            np.save(folder / f"{i}.npy", sample)
        (folder / "list.txt").write_text("".join(f"{i}.npy\n" for i in range(count)))
        self._command(pick(KINDS), count)

    # -- models

    def _weight(self, net: Net, *shape: int) -> Array:
        usual = self._rng.random() < USUAL_WEIGHTS
        kind = "normal" if usual else self._rng.choice(list(WEIGHTS))
        self.weights.add(kind)
        if kind != "normal":
            self.drawn["weights"] = kind
        with np.errstate(all="ignore"):
            fan_in = int(np.prod(shape[1:])) or 1
            return WEIGHTS[kind](net.normal(*shape, scale=fan_in**-0.5)).astype("f4")

    def _net(self) -> tuple[Net, tuple[int, ...]]:
        pick, net = self._rng.choice, Net(self.seed)
        channels, size = pick((1, 2, 3, 8)), pick((1, 2, 4, 7))
        shape = (channels, size, pick((1, 3, size)))
        bottom = net.input("data", shape, declared=pick((True, True, False)))
        for i in range(pick((0, 1, 2, 3))):
            bottom, channels = self._layer(net, bottom, f"l{i}", channels)
        if pick((True, False)):
            columns = channels * shape[1] * shape[2]
            if pick((True, False)):
                bottom, columns = net.layer("Pooling", bottom, "pool", {0: 1, 4: 1}), channels
            outputs = pick((1, 3, 5))
            if pick((True, False)):
                wide = pick((16, 40))
                self._rows(net, bottom, "hidden", columns, wide)
                bottom, columns = "hidden", wide
            self._rows(net, bottom, "fc", columns, outputs)
            if pick((True, False)):
                self._gemm(net, "fc", outputs)
        else:
            self._convolution(net, bottom, "last", channels, 3, 1, 1)
        return net, shape

    def _layer(self, net: Net, bottom: str, top: str, channels: int) -> tuple[str, int]:
        pick = self._rng.choice
        match pick(("conv", "conv", "conv", "depthwise", "relu", "scale", "norm", "sum")):
            case "conv":
                outputs = pick((1, 4, 8, 16))
                self._convolution(net, bottom, top, channels, outputs, pick((1, 3)), 1)
                return top, outputs
            case "depthwise":
                self._convolution(net, bottom, top, channels, channels, 3, channels)
            case "relu":
                net.layer(pick(("ReLU", "Sigmoid", "TanH")), bottom, top)
            case "scale":
                factor = pick((0.0, 1e-30, 1e-6, 1e6, 1e30, -1.0))
                net.layer("BinaryOp", bottom, top, {0: pick((0, 2)), 1: 1, 2: factor})
            case "norm":
                net.layer("BatchNorm", bottom, top, {0: channels})
                for _ in range(4):
                    net.plain(np.abs(self._weight(net, channels)))
            case _:
                net.layer("Split", bottom, [f"{top}a", f"{top}b"])
                net.layer("BinaryOp", [f"{top}a", f"{top}b"], top, {0: pick((0, 1, 2))})
        return top, channels

    def _convolution(
        self, net: Net, bottom: str, top: str, inputs: int, outputs: int, k: int, group: int
    ) -> None:
        each = inputs // group
        params: dict[int, Number | Sequence[Number]] = {0: outputs, 1: k, 4: k // 2, 5: 1}
        params |= {6: outputs * each * k * k, 9: self._rng.choice((0, 0, 1, 2, 4))}
        if params[9] == 2:
            params[10] = [0.1]
        if group > 1:
            params[7] = group
        net.layer("ConvolutionDepthWise" if group > 1 else "Convolution", bottom, top, params)
        net.tagged(self._weight(net, outputs, each, k, k))
        net.plain(self._weight(net, outputs))

    def _rows(self, net: Net, bottom: str, top: str, columns: int, outputs: int) -> None:
        params = {0: outputs, 1: 1, 2: outputs * columns, 9: self._rng.choice((0, 1))}
        net.layer("InnerProduct", bottom, top, params)
        net.tagged(self._weight(net, outputs, columns))
        net.plain(self._weight(net, outputs))

    def _gemm(self, net: Net, bottom: str, inputs: int) -> None:
        outputs = self._rng.choice((2, 40))
        params = {3: 1, 5: 1, 6: 1, 8: outputs, 9: inputs, 10: -1}
        net.layer("Gemm", bottom, "gemm", params)
        net.tagged(self._weight(net, outputs, inputs))

    # -- commands

    def _chance(self, share: float) -> bool:
        return self._rng.random() < share

    def _command(self, kind: str, count: int) -> None:
        pick, chance = self._rng.choice, self._chance
        self.drawn["command"] = kind
        data = ["--data", "x.npy", "-j1"]
        methods = ["--method", pick(METHODS[1:]), "--weight-method", pick(WEIGHT_METHODS[1:])]
        optimize = ["-O"] if chance(0.3) else []
        match kind:
            case "quantize":
                self._quantize(count, optimize)
            case "calibrate":
                self._run("calibrate", "model.param", *data, *methods, "-o", "t")
                self._run("apply", "model.param", "--table", "t", "-o", "int8.param")
                self.models.append("int8.param")
            case "merge":
                for k in (1, 2):
                    part = ["--shard", f"{k}/2", "-o", f"{k}.npz"]
                    self._run("calibrate", "model.param", *data, *optimize, *part)
                self._run("merge", "model.param", "1.npz", "2.npz", *optimize, *methods, "-o", "t")
            case "measure":
                self._run("model.param", *data, *optimize, "--quick", "-o", "int8.param")
                written = ["--json", "r.json", "--html", "r.html", "--measure"]
                self._run("measure", "model.param", "int8.param", *data, *written)
                self.models.append("int8.param")
            case "weights":
                method = pick(("minmax", "mse", "awq", "gptq"))
                block = pick(("32", "64", "128")) if method in ("awq", "gptq") else "row"
                bits = pick(("4", "6", "8")) if block != "row" else "8"
                args = ["--method", method, "--block", block, "--bits", bits]
                args += ["--data", "x.npz"] if method in ("awq", "gptq") else []
                self._run("model.param", "--weights-only", *args, "-o", "int8.param")
                self.models.append("int8.param")
                self.drawn["weights-only"] = method
            case _:
                args = [f"method={pick(METHODS[1:])}", "type=1", "thread=1"]
                self.lines.append(
                    ["ncnn-table", "model.param", "model.bin", "list.txt", "t", *args]
                )

    def _quantize(self, count: int, optimize: Sequence[str]) -> None:
        pick, chance = self._rng.choice, self._chance
        args = ["model.param", "--data", "x.npy", "-j1", "-o", "int8.param", *optimize]
        self.models.append("int8.param")
        if chance(0.4):  # as it is usually called
            self.drawn["method"] = "none given"
            self._run(*args)
            return
        changes = [flag for flag in ("--equalize", "--gptq", "--correct-bias") if chance(0.4)]
        if not changes and chance(0.2):
            changes = ["--quick"]
        method, weights = pick(METHODS), pick(WEIGHT_METHODS)
        args += ["--method", method, *changes]
        args += ["--weight-method", weights] if weights else []
        args += pick(([], [], ["--max-nsr", pick(("0.1", "1e-4", "0"))], ["--min-snr", "30"]))
        args += ["--holdout", "1"] if count > 1 and chance(0.2) else []
        args += ["--eval-samples", pick(("1", "2"))] if chance(0.2) else []
        args += ["--samples", "1"] if chance(0.1) else []
        args += ["--storage", pick(("fp16", "fp32", "keep"))] if chance(0.2) else []
        args += ["--static-only"] if chance(0.2) else []
        args += ["--measure"] if chance(0.3) else []
        args += ["--json", "r.json", "--html", "r.html"] if chance(0.3) else []
        if not changes and chance(0.3):
            args += ["--output-table", "t"]
        self.drawn |= {"method": method, "changes": " ".join(changes) or "none"}
        self._run(*args)

    def _run(self, *arguments: str) -> None:
        self.lines.append(["ncnn-quantize", *arguments])


MAINS = {"ncnn-quantize": ncnn_quantize_main.main, "ncnn-table": ncnn_table_main.main}


def check(case: Case, folder: Path) -> str | None:
    """Run the commands of a case in a folder, which is the working directory. Returns the message
    with which one ended, if one did; raises `AssertionError` for what must not be."""
    case.prepare(folder)
    for command, *arguments in case.lines:
        before = set(os.listdir(folder))
        out, err = io.StringIO(), io.StringIO()
        status = 0
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    MAINS[command](arguments)
            except SystemExit as end:
                status = int(end.code or 0)
        if status:
            lines = [line for line in err.getvalue().splitlines() if " error: " in line]
            assert status == 1, (status, err.getvalue())
            assert len(lines) == 1, err.getvalue()
            assert lines[0].startswith(f"{command}: error: "), lines
            assert set(os.listdir(folder)) == before, "files of a command that failed"
            return lines[0]
        assert "nan" not in re.split(r"\W+", out.getvalue().lower()), out.getvalue()
    if (folder / "r.json").exists():
        json.loads((folder / "r.json").read_text(), parse_constant=_refuse)
    for model in case.models:
        _check_model(folder, model, not case.weights & OVERFLOWING)
    return None


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON")


def _check_model(folder: Path, model: str, finite: bool) -> None:
    """The model runs, and gives finite values where the original does, if that is asked."""
    worker = Worker()
    outputs = ["fc"] if " last " not in (folder / "model.param").read_text() else ["last"]
    if " gemm " in (folder / "model.param").read_text():
        outputs = ["gemm"]
    worker.load("float", "model.param", "model.bin")
    worker.load("int8", model, model.replace(".param", ".bin"))
    for sample in np.load(folder / "x.npy"):
        ours, theirs = (worker.run(key, {"data": sample}, outputs) for key in ("float", "int8"))
        for name in outputs:
            assert ours[name].shape == theirs[name].shape
            if finite and np.isfinite(ours[name]).all():
                assert np.isfinite(theirs[name]).all(), f"{name}: {ours[name]} {theirs[name]}"


def describe(message: str) -> str:
    """A message without names and numbers."""
    text = re.sub(r"^[\w-]+: error: ", "", message)
    text = re.sub(r"'[^']*'", "…", text)
    return re.sub(r"[\d.]+(e[-+]?\d+)?", "#", text)


def main() -> None:
    """Check many cases, and print what was drawn and found."""
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int)
    parser.add_argument("--first", type=int, default=0)
    args = parser.parse_args()
    drawn: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    failed: list[int] = []
    start = time.monotonic()
    home = os.getcwd()
    with locally():
        for seed in range(args.first, args.first + args.count):
            case = Case(seed)
            with tempfile.TemporaryDirectory() as folder:
                os.chdir(folder)
                try:
                    message = check(case, Path(folder))
                    ends["success" if message is None else describe(message)] += 1
                except Exception as e:
                    failed.append(seed)
                    last = traceback.extract_tb(e.__traceback__)[-1]
                    place = f"{os.path.basename(last.filename)}:{last.lineno}"
                    print(f"seed {seed}: {place}: {type(e).__name__}: {str(e)[:300]}", flush=True)
                    print(f"    {case.drawn} {case.lines}", flush=True)
                finally:
                    os.chdir(home)
            drawn.update(f"{key}: {value}" for key, value in case.drawn.items())
            if (seed + 1) % 100 == 0:
                print(f"{seed + 1} after {time.monotonic() - start:.0f} s", flush=True)
    for counter in (drawn, ends):
        for key, count in sorted(
            counter.items(), key=lambda item: (item[0].split(":")[0], -item[1])
        ):
            print(f"{count:6} {key}")
    print(f"{args.count} cases, {len(failed)} failed: {failed[:50]}")


if __name__ == "__main__":
    main()
