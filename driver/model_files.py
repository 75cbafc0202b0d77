"""Reading a model, running passes on it, writing it.

Commands share these functions, so each recognizes the same kinds of files, and no failure leaves a
part of a result.
"""

import os
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from xdsl.dialects.builtin import ModuleOp

from ..dialects.ncnn.weight_file import scratch_file
from ..formats.columns import aligned
from ..formats.errors import FormatError
from ..frontends import Frontend, ReadOptions, frontend_for
from ..targets import Output, Summary, Target, target_for
from ..targets.atomic_files import check_writable
from ..targets.output_checks import Origin
from ..targets.param.export import summarize
from .environment import make_context
from .errors import UsageError

if TYPE_CHECKING:
    from .releases import Releases


class InputModel(NamedTuple):
    """A model that was read."""

    module: ModuleOp
    path: str
    """The name in messages."""
    kind: str
    """The kind of file (see `frontends`)."""
    origin: Origin
    """The files of the model."""
    warnings: list[str]
    """Messages, for example about values that the runtime reads differently."""
    repaired: bool = False
    """Whether layers that the runtime lacks were replaced."""
    unconverted: str = ""
    """The reason why PNNX's graph beside the model was not converted as a whole."""

    def files(self) -> tuple[str, str] | None:
        """Return the `.param` and `.bin` of the model, if the runtime loads them."""
        weights = self.origin.weights
        if self.repaired or self.kind != "param" or weights is None or not os.path.isfile(weights):
            return None
        return self.path, weights


@dataclass(frozen=True)
class ModelChange:
    """The changes of a model. Summaries are `None` for IR that no `.param` can express."""

    before: Summary | None = None
    after: Summary | None = None
    rounded: int = 0
    """The number of rewritten 16-bit weights that are rounded to 16 bits again."""
    widened: int = 0
    """The number of rewritten 16-bit weights that are float32 now, because 16 bits would round or
    overflow them."""
    refused: int = 0
    """The number of rewrites that the limit on the growth of weights forbade."""
    padded: int = 0
    """The number of rewrites that made weights larger, so that layers are faster."""
    unmatched: Sequence[str] = ()
    """The passes that the user named and that matched nothing."""
    releases: "Releases | None" = None
    """The releases of the runtime that run the model, if passes ran."""
    proposals: Sequence[str] = ()
    """Options that would gain something, as lines."""
    comparison: str = ""
    """A line about the comparison of a converted model with its source; empty for other models."""

    def lines(self, table: bool = False) -> list[str]:
        """Return the changes as lines; no sizes for IR that no `.param` can express. With `table`,
        the sizes are a table."""
        return [*self._sizes(table), *filter(None, [self.comparison])]

    def _sizes(self, table: bool) -> list[str]:
        if self.before is None or self.after is None:
            return []
        lines = [f"{self.before.layers} -> {self.after.layers} layers, {self.weights()}"]
        types = [f"{name} {old} -> {new}" for name, (old, new) in self.types().items()]
        lines += [", ".join(types)] if types else []
        if table:
            lines = self.table()
        precision: list[str] = []
        if self.rounded:
            precision.append(f"that are rounded to 16 bits again: {self.rounded}")
        if self.widened:
            words = "that are float32 now, since 16 bits would not hold them"
            precision.append(f"{words}: {self.widened}")
        if precision:
            lines.append(f"rewritten weights of 16 bits {'; '.join(precision)}")
        if self.padded and self.after.weight_bytes > self.before.weight_bytes:
            times = "once" if self.padded == 1 else f"{self.padded} times"
            lines.append(f"the weights grow for speed: pad-channels {times} (--remarks lists it)")
        if self.refused:
            rewrites = "1 rewrite is" if self.refused == 1 else f"{self.refused} rewrites are"
            advice = "the weights would grow too much (--remarks=missed lists them)"
            lines.append(f"{rewrites} left out: {advice}")
        lines += [] if self.releases is None else self.releases.lines()
        lines += [f"nothing matched --{name}" for name in self._without_effect()]
        return [*lines, *self.proposals]

    def _without_effect(self) -> list[str]:
        """Return the passes that matched nothing. `eliminate-split` has an effect also without a
        Split in the file: the writer adds the Splits that the blobs of a normal form need."""
        splits = {each.types.get("Split", 0) for each in (self.before, self.after) if each}
        return [name for name in self.unmatched if name != "eliminate-split" or len(splits) < 2]

    def figures(self) -> dict[str, object]:
        """Return the numbers of the first line for a program, empty if unknown."""
        if self.before is None or self.after is None:
            return {}
        return {
            "layers_before": self.before.layers,
            "layers_after": self.after.layers,
            "weight_bytes_before": self.before.weight_bytes,
            "weight_bytes_after": self.after.weight_bytes,
            "types_before": dict(self.before.types),
            "types_after": dict(self.after.types),
        }

    def weights(self) -> str:
        """Return the bytes of weights before and after as text, empty if unknown."""
        if self.before is None or self.after is None:
            return ""
        before, after = self.before.weight_bytes, self.after.weight_bytes
        growth = f" ({100 * (after - before) / before:+.2f} %)" if before else ""
        return f"{before:,} -> {after:,} bytes of weights{growth}"

    def table(self) -> list[str]:
        """Return the lines of a table: the layers of each type, all layers, and the bytes of
        weights, before and after."""
        if self.before is None or self.after is None:
            return []
        before, after = self.before, self.after
        counts = [
            (name, before.types.get(name, 0), after.types.get(name, 0))
            for name in sorted({**before.types, **after.types})
        ]
        counts.append(("all layers", before.layers, after.layers))
        counts.append(("bytes of weights", before.weight_bytes, after.weight_bytes))
        cells = [(name, f"{old:,}", f"{new:,}", _change(old, new)) for name, old, new in counts]
        lines = aligned([("layer type", "before", "after", "change"), *cells], 1)
        rule = "-" * max(map(len, lines))
        return [lines[0], rule, *lines[1:-2], rule, *lines[-2:]]

    def types(self) -> dict[str, tuple[int, int]]:
        """Return the numbers of layers before and after, by layer type with different numbers."""
        if self.before is None or self.after is None:
            return {}
        before, after = self.before.types, self.after.types
        both = {name: (before.get(name, 0), after.get(name, 0)) for name in {**before, **after}}
        return {name: counts for name, counts in sorted(both.items()) if counts[0] != counts[1]}


def _change(before: int, after: int) -> str:
    """Return a relative change as text; empty without one."""
    return f"{100 * (after - before) / before:+.1f} %" if before and after != before else ""


def read_model(path: str, options: ReadOptions = ReadOptions()) -> InputModel:
    """Return the verified model in a file of any kind, or in standard input for `-`. Raises one of
    `USER_ERRORS`."""
    if path == "-":
        return read_stdin(options)
    with open(path, "rb") as f:
        data = f.read()
    with unreplaced(path, data):
        return read_data(data, path, options, frontend_for(path, data))


def read_stdin(options: ReadOptions) -> InputModel:
    """Return the model in standard input, whose kind follows from its content. Weights that are
    optional are not read."""
    data = sys.stdin.buffer.read()
    frontend = frontend_for("", data)
    if options.structure_only and frontend.weights_of("", options) is not None:
        options = replace(options, weights=options.weights or "none")
    return read_data(data, None, options, frontend)


def read_data(
    data: bytes, path: str | None, options: ReadOptions, frontend: Frontend
) -> InputModel:
    """Return the model in the content of a file, or of standard input for no path."""
    name = path or "stdin"
    if path is None and options.weights is None and frontend.weights_of("", options) is not None:
        raise UsageError(
            f"a .{frontend.kind} on standard input needs --weights {frontend.weights_words}"
        )
    module, warnings = frontend.read(data, name, options, make_context)
    origin = Origin(path, frontend.weights_of(name, options))
    return InputModel(module, name, frontend.kind, origin, warnings)


@contextmanager
def unreplaced(path: str, data: bytes) -> Generator[None]:
    """Raise `FormatError` at the end of the block, which opens the weights of a model, if the
    model's file no longer has this content: the weights could belong to another model. (A writer
    that replaces a model removes its graph first, and creates it last.)"""
    try:
        yield
    finally:
        if os.path.isfile(path) or not os.path.exists(path):  # a pipe can be read once
            with open(path, "rb") as f:
                if f.read() != data:
                    raise FormatError(path, "the file has changed while it was read")


def compile_model(
    source: InputModel,
    output: Output,
    run: Callable[[ModuleOp], None],
    *,
    target: Target | None = None,
    summarized: bool = False,
    before: Summary | None = None,
    in_memory: bool = False,
) -> ModelChange:
    """Run passes on a model and write the result: all files or none. With `summarized`, return its
    size before (`before`, if the model has changed since it was read) and after. `target` is the
    kind of file, by default from its name. Large new weights go to a temporary file, unless
    `in_memory`. Raises one of `USER_ERRORS`."""
    target = target or target_for(output.path)
    if not in_memory:
        check_writable(output.path, *([] if output.weights is None else [output.weights]))
    with nullcontext() if in_memory else scratch_file():
        writing = target.begin(source.module, output)
        if summarized and before is None:
            before = summarize(source.module)
        run(source.module)
        after = writing.summary() if summarized else None
        writing.finish()
    return ModelChange(before, after)


def write_model(module: ModuleOp, output: Output) -> None:
    """Write a model: all files or none. Raises one of `USER_ERRORS`."""
    target_for(output.path).begin(module, output).finish()
