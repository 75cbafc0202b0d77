"""Export of the `pnnx` dialect to `.pnnx.param` and `.pnnx.bin`.

With it, a graph that was edited as IR becomes PNNX's files again.
"""

import os
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import IO

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException

from ...dialects.pnnx.attributes import ARCHIVE_BASE, ArchiveAttr
from ...dialects.pnnx.operations import GraphOp, graph_in, params_of
from ...dialects.pnnx.tensors import tensor_parts
from ...formats.errors import FormatError
from ...formats.pnnx_bin import Member, check_members, read_chunks, read_members, write_members
from ...formats.pnnx_graph import PnnxGraph, PnnxOperator, TensorShape, member_name
from ...formats.pnnx_param import write_pnnx_param
from .. import Output, Writing
from ..atomic_files import OutputFiles, naming
from ..mlir.ir_printer import print_module
from ..output_checks import check_outputs


def archive_of(path: str) -> str:
    """Return the `.pnnx.bin` that belongs to a `.pnnx.param`, or to an `.mlir` of such a model."""
    ending = next((e for e in (".param", ".pnnx.mlir", ".mlir") if path.endswith(e)), "")
    return path.removesuffix(ending) + (".bin" if ending == ".param" else ".pnnx.bin")


def export_graph(graph: GraphOp) -> PnnxGraph:
    """Return the records of a graph. Raises `FormatError` for content that a `.pnnx.param` cannot
    express."""
    result = PnnxGraph()
    names: dict[SSAValue, str] = {}
    try:
        for op in graph.operators():
            outputs = tuple(op.operand_names())
            for name, value in zip(outputs, op.outputs, strict=True):
                names[value] = name
                if (parts := tensor_parts(value.type)) is not None:
                    result.shapes[name] = TensorShape(*parts)
            inputs = tuple(names[value] for value in op.inputs)
            keys = () if op.keys is None else tuple(key.data for key in op.keys)
            result.operators.append(
                PnnxOperator(
                    op.type.data,
                    op.layer.data,
                    inputs,
                    outputs,
                    dict(params_of(op)),
                    {key: _shape(type_) for key, type_ in op.weight_types().items()},
                    keys,
                )
            )
    except VerifyException as e:
        raise FormatError("", str(e)) from e
    return result


def _shape(type_: Attribute) -> TensorShape:
    parts = tensor_parts(type_)
    if parts is None:
        raise VerifyException("a weight needs a static shape")
    return TensorShape(*parts)


class PnnxWriting(Writing):
    """A `.pnnx.param` that is being written, and a `.pnnx.bin` if its weights have values."""

    def finish(self) -> None:
        with _writing(self.module, self.output) as (_, records, files, _):
            files.create(self.output.path, "w").write(write_pnnx_param(records))


def write_pnnx_mlir(module: ModuleOp, output: Output) -> None:
    """Write the IR of a graph and, if its weights have values, a `.pnnx.bin` that the IR then
    refers to: both or neither."""
    with _writing(module, output) as (graph, _, files, archive):
        if archive is not None:
            graph.archive = ArchiveAttr(os.path.abspath(archive))
        base = ARCHIVE_BASE.set(os.path.dirname(os.path.abspath(output.path)))
        try:
            files.create(output.path, "w").write(print_module(module, output.printing))
        finally:
            ARCHIVE_BASE.reset(base)


@contextmanager
def _writing(
    module: ModuleOp, output: Output
) -> Generator[tuple[GraphOp, PnnxGraph, OutputFiles, str | None]]:
    """Write the `.pnnx.bin` of a graph if its weights have values; the block writes the rest. Yield
    the graph, its records, the files, and the path of the `.pnnx.bin`."""
    graph = graph_in(module)
    if graph is None or len(list(module.ops)) != 1:
        found = ", ".join(op.name for op in module.ops) or "nothing"
        raise FormatError("", f"a .pnnx.param contains one pnnx.graph; the module contains {found}")
    archive = output.weights or archive_of(output.path)
    check_outputs(output.path, archive, output.origin)
    records = export_graph(graph)
    with naming(output.path), OutputFiles() as files:
        has_values = _write_archive(graph, records, archive, files)
        yield graph, records, files, archive if has_values else None


def _write_archive(graph: GraphOp, records: PnnxGraph, path: str, files: OutputFiles) -> bool:
    """Write the members for the graph's weights, in PNNX's order. Return whether there are
    values."""
    if graph.archive is None:
        return False
    source = graph.archive.data
    with open(source, "rb") as file:
        members = read_members(file, source)
        check_members(records, members, source)
        write_members(files.create(path, "wb"), _chunks(records, members, file, source))
    return True


def _chunks(
    records: PnnxGraph, members: dict[str, Member], file: IO[bytes], source: str
) -> Iterator[tuple[str, Iterable[bytes]]]:
    for op in records.operators:
        for key in sorted(op.weights):
            name = member_name(op.name, key)
            yield name, read_chunks(file, members[name], name, source)
