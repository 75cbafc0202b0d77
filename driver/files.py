"""The way from file to file: read a model, run passes on it, write it."""

import os
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from xdsl.dialects.builtin import ModuleOp

from ..dialects.ncnn.weight_file import scratch_file
from ..formats.errors import FormatError
from ..frontends import Frontend, ReadOptions, frontend_for
from ..targets import Output, Summary, Target, target_for
from ..targets.files import check_writable
from ..targets.overwriting import Origin
from ..targets.param.export import summarize
from .environment import make_context
from .errors import UsageError

if TYPE_CHECKING:
    from .releases import Releases


class Source(NamedTuple):
    """A model that was read."""

    module: ModuleOp
    path: str
    """What messages call it."""
    kind: str
    """What kind of file it is."""
    origin: Origin
    """The files that it was in."""
    warnings: list[str]
    """What the file says otherwise than the runtime reads it, and the like."""
    repaired: bool = False
    """Whether layers were put in the place of those that the runtime does not have."""

    def files(self) -> tuple[str, str] | None:
        """The `.param` and `.bin` that it was in, if the runtime loads them as they are."""
        weights = self.origin.weights
        if self.repaired or self.kind != "param" or weights is None or not os.path.isfile(weights):
            return None
        return self.path, weights


@dataclass(frozen=True)
class Change:
    """What became of a model; `None` where it is IR that no `.param` can hold."""

    before: Summary | None = None
    after: Summary | None = None
    rounded: int = 0
    """Weights that were made of such in 16 bits, and are stored so again."""
    widened: int = 0
    """Those that are float32 now, since 16 bits would round them, or not hold them at all."""
    refused: int = 0
    """Rewrites that the limit on the growth of weights forbade."""
    unmatched: Sequence[str] = ()
    """The passes that were asked for by name and found nothing to do."""
    releases: "Releases | None" = None
    """The releases of the runtime that run the model, where passes ran."""

    def weights(self) -> str:
        """How many bytes of weights there were and are, in words; empty where that is not known."""
        if self.before is None or self.after is None:
            return ""
        before, after = self.before.weight_bytes, self.after.weight_bytes
        growth = f" ({100 * (after - before) / before:+.2f} %)" if before else ""
        return f"{before:,} -> {after:,} bytes of weights{growth}"

    def types(self) -> dict[str, tuple[int, int]]:
        """How many layers of a type there were and are, where that is not the same."""
        if self.before is None or self.after is None:
            return {}
        before, after = self.before.types, self.after.types
        both = {name: (before.get(name, 0), after.get(name, 0)) for name in {**before, **after}}
        return {name: counts for name, counts in sorted(both.items()) if counts[0] != counts[1]}


def read_model(path: str, options: ReadOptions = ReadOptions()) -> Source:
    """The verified model in a file of any kind. Raises one of `USER_ERRORS`."""
    with open(path, "rb") as f:
        data = f.read()
    with unreplaced(path, data):
        return read_data(data, path, options, frontend_for(path, data))


def read_data(data: bytes, path: str | None, options: ReadOptions, frontend: Frontend) -> Source:
    """The model in the content of a file, or of standard input if there is no path."""
    name = path or "stdin"
    if path is None and options.weights is None and frontend.weights_of("", options) is not None:
        raise UsageError(
            f"a .{frontend.kind} on standard input needs --weights {frontend.weights_words}"
        )
    module, warnings = frontend.read(data, name, options, make_context)
    origin = Origin(path, frontend.weights_of(name, options))
    return Source(module, name, frontend.kind, origin, warnings)


@contextmanager
def unreplaced(path: str, data: bytes) -> Generator[None]:
    """Raises `FormatError` if a model that had this content when it was read is replaced before its
    weights are opened, which is done in the block: they would be those of another. (Who replaces a
    model takes its graph away first, and puts it in last.)"""
    try:
        yield
    finally:
        if os.path.isfile(path) or not os.path.exists(path):  # a pipe can be read once
            with open(path, "rb") as f:
                if f.read() != data:
                    raise FormatError(path, "the file has changed while it was read")


def compile_model(
    source: Source,
    output: Output,
    run: Callable[[ModuleOp], None],
    *,
    target: Target | None = None,
    summarized: bool = False,
    before: Summary | None = None,
    in_memory: bool = False,
) -> Change:
    """Runs passes on a model and writes what it becomes: all files or none. Says how large it was
    and is, if that is asked for; `before` is how large it was where it has changed since it was
    read. `target` is the kind of file, by default that of its name; large weights that passes make
    go to a file meanwhile, unless all is to be in memory. Raises one of `USER_ERRORS`."""
    target = target or target_for(output.path)
    if not in_memory:
        check_writable(output.path, *([] if output.weights is None else [output.weights]))
    with nullcontext() if in_memory else scratch_file() as scratch:
        with target.begin(source.module, output, scratch) as writing:
            if summarized and before is None:
                before = summarize(source.module)
            run(source.module)
            after = writing.summary() if summarized else None
            writing.finish()
    return Change(before, after)


def write_model(module: ModuleOp, output: Output) -> None:
    """Writes a model: all files or none. Raises one of `USER_ERRORS`."""
    with target_for(output.path).begin(module, output) as writing:
        writing.finish()
