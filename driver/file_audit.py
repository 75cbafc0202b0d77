"""The audit of a file: its text, graph, weights, and the shapes of a run.

Here are the rules for text and records: places where a reader of another release may see other
layers or parameters than the audit. `analysis/audit` has those for the model.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument

from ..analysis.audit.findings import DEFAULT_LIMIT, Finding, Findings
from ..analysis.audit.model import audit, gaps
from ..analysis.shape_inference import infer, set_input_shapes
from ..dialects.ncnn import BY_TYPE
from ..dialects.ncnn.blob import static_shape_of
from ..dialects.ncnn.function import input_name
from ..dialects.ncnn.lookup import model_of
from ..dialects.ncnn.params import Param, ParamKind
from ..dialects.ncnn.weight_specs import Shape, pattern_text
from ..formats.errors import FormatError
from ..formats.graph import SHAPE_HINT_ID, Graph, LayerRecord
from ..formats.param_binary import looks_binary
from ..formats.verdicts import verdict
from ..frontends import ReadOptions, frontend_for
from ..frontends.param.model_reader import import_param, read_graph
from ..runtime.trial_shapes import feeds_of
from .errors import UsageError

_TYPE = re.compile(r"[A-Za-z_][A-Za-z0-9_.:]*")
_CONTROL = re.compile(rb"[\x00-\x09\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)")


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


def audit_text(data: bytes, graph: Graph, path: str) -> Findings:
    """Audit the lines of a `.param`: one line for each layer, and nothing else."""
    if (match := _CONTROL.search(data)) is not None:
        line = data.count(b"\n", 0, match.start()) + 1
        byte = match.group()[0]
        yield Finding(f"{path}:{line}", "", f"a control character ({byte:#04x}), not a space")
    lines = [i for i, line in enumerate(data.split(b"\n"), 1) if line.strip()]
    heads = [record.line for record in graph.layers]
    for line, head in zip(lines[2:], heads, strict=False):
        if line != head:
            yield Finding(f"{path}:{line}", "", "this line does not hold one whole layer")
            return
    rest = data.split(b"\n")[lines[len(heads) + 1] :]
    if b"".join(rest).strip()[:1] in tuple(b"%c" % c for c in b"+-0123456789"):
        line = lines[len(heads) + 2]
        yield Finding(f"{path}:{line}", "", "a number after the last layer is read as a parameter")


def audit_records(graph: Graph) -> Findings:
    """Audit types of layers, and parameters of another kind than their layer reads."""
    for record in graph.layers:
        if not _TYPE.fullmatch(record.type):
            yield Finding(f"'{record.name}'", "type", f"'{record.type}' is not an identifier")
        if not record.tops and SHAPE_HINT_ID in record.params:
            yield Finding(f"{record.type} '{record.name}'", "shape_hints", "there is no output")
        for name, problem in _kinds(record):
            yield Finding(f"{record.type} '{record.name}'", name, problem)


def _kinds(record: LayerRecord) -> Iterator[tuple[str, str]]:
    if record.type not in BY_TYPE:
        return
    declared = BY_TYPE[record.type].PARAMS_BY_ID
    for id, value in record.params.items():
        if id not in declared:
            continue
        name, param = declared[id]
        if isinstance(param, Param) and param.bitwise:
            continue
        kind = param.kind if isinstance(param, Param) else ParamKind.INT
        if value.mismatch(kind.value):
            yield name, f"parameter {id} is written as {value.kind}; the layer reads {kind.value}"
