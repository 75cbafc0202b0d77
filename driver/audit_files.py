"""Rules for the text of a `.param`: places where a reader of another release may see other layers
or parameters than the audit."""

import re
from collections.abc import Iterator

from ..analysis.audit.findings import Finding, Findings
from ..dialects.ncnn import BY_TYPE
from ..dialects.ncnn.params import Param, ParamKind
from ..formats.graph import SHAPE_HINT_ID, Graph, LayerRecord

_TYPE = re.compile(r"[A-Za-z_][A-Za-z0-9_.:]*")
_CONTROL = re.compile(rb"[\x00-\x09\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)")


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
