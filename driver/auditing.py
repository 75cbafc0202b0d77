"""The audit of a file: its text, graph, weights, and the shapes of a run."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument

from ..analysis.audit.findings import DEFAULT_LIMIT, Finding
from ..analysis.audit.model import audit, gaps
from ..analysis.shape_inference import infer, set_input_shapes
from ..dialects.ncnn.blob import static_shape_of
from ..dialects.ncnn.function import input_name
from ..dialects.ncnn.lookup import model_of
from ..dialects.ncnn.weight_specs import Shape, pattern_text
from ..formats.errors import FormatError
from ..formats.param_binary import looks_binary
from ..formats.verdicts import verdict
from ..frontends import ReadOptions, frontend_for
from ..frontends.param.reading import import_param, read_graph
from ..runtime.feeding import feeds_of
from .audit_files import audit_records, audit_text
from .errors import UsageError


@dataclass(frozen=True)
class Audit:
    """The result of an audit."""

    findings: tuple[Finding, ...]
    """The violated bounds; empty if the file passes."""
    shapes: Mapping[str, Shape | None]
    """The shapes of the inputs that a run is audited for; `None` where no shape is known."""
    gaps: tuple[str, ...] = ()
    """The reasons why only loading is audited; empty if a run is audited, too."""

    def lines(self, path: str, run: bool = False) -> list[str]:
        """Return the result for a file as lines, the last one with the verdict; `run`: a run must
        be audited, too."""
        if self.findings:
            count = len(self.findings)
            words = "1 violated bound" if count == 1 else f"{count} violated bounds"
            return [
                f"{path}: {words}",
                *(f"  {each}" for each in self.findings),
                verdict(False, words),
            ]
        if self.gaps:
            reasons = "; ".join(self.gaps)
            text = f"{path}: loading passes the audit; a run is not audited: {reasons}"
            return [verdict(not run, text)]
        given = ", ".join(f"{name}={pattern_text(s or ())}" for name, s in self.shapes.items())
        return [verdict(True, f"{path}: loading and a run with {given or 'no inputs'}")]

    def passes(self, run: bool = False) -> bool:
        """Whether no bound is violated; with `run`, whether a run is audited, too."""
        return not self.findings and not (run and self.gaps)


def audit_file(
    path: str,
    options: ReadOptions = ReadOptions(),
    limit: int = DEFAULT_LIMIT,
    shapes: Mapping[str, Shape] | None = None,
) -> Audit:
    """Audit a `.param` or `.param.bin`, and its weights. `shapes` are the shapes of inputs, by
    default the declared ones. Raises one of `USER_ERRORS` for other kinds of files."""
    with open(path, "rb") as f:
        data = f.read()
    if frontend_for(path, data).kind not in ("param", "param.bin"):
        raise UsageError(f"'{path}' is no .param and no .param.bin: --audit is for these")
    return audit_data(data, path, options, limit, shapes)


def audit_data(
    data: bytes,
    path: str,
    options: ReadOptions = ReadOptions(),
    limit: int = DEFAULT_LIMIT,
    shapes: Mapping[str, Shape] | None = None,
) -> Audit:
    """Audit a `.param` or `.param.bin` with the content `data`, and its weights."""
    try:
        graph = read_graph(data, path)
        module, _ = import_param(data, path, options)
    except FormatError as e:
        place = e.path if e.line is None else f"{e.path}:{e.line}"
        return Audit((Finding(place, "", e.message),), {})
    found = [] if looks_binary(data) else list(audit_text(data, graph, path))
    found += audit_records(graph)
    func = model_of(module)
    set_input_shapes(func, shapes or {})
    infer(func, dict(_turned(func)))
    known = {input_name(func, arg.index): static_shape_of(arg) for arg in func.body.block.args}
    return Audit((*found, *audit(func, limit)), known, tuple(gaps(func)))


def _turned(func: FuncOp) -> Iterator[tuple[BlockArgument, Shape]]:
    """Yield the inputs whose declared extents contradict weights in this order, but fit in another
    order: old converters wrote them reversed. The runtime ignores declared extents."""
    for index, feed in feeds_of(func).items():
        arg = func.body.block.args[index]
        declared = static_shape_of(arg)
        if declared is not None and sorted(declared) == sorted(feed.shape):
            yield arg, feed.shape
