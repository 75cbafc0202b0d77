"""Files beside a model: PNNX's own IR of it, and an export of it at another size."""

import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import DiagnosticException, PassFailedException

from ..analysis.shape_inference import set_input_shapes
from ..dialects.ncnn.lookup import model_of
from ..dialects.ncnn.weight_specs import Shape
from ..formats.errors import FormatError
from ..formats.file_names import companion_of, weights_beside
from ..frontends import ReadOptions, frontend_for, frontends, is_weight_path
from ..targets.output_checks import Origin
from ..transforms import REPAIR
from .environment import make_context
from .errors import UsageError, describe
from .input_forms import batch_axes_beside, describe_batches, take_input_shapes
from .model_files import InputModel, read_data, read_model
from .unsupported_layers import missing_layers

if TYPE_CHECKING:
    from ..dialects.pnnx.operations import GraphOp


IN_BYTES = "bytes"
"""The name of a model in bytes in messages."""


class PnnxFile(NamedTuple):
    """PNNX's own IR of a model."""

    graph: "GraphOp | None"
    batch_axes: Mapping[str, int]
    """The batch axis of each input, if the script beside the file states it."""
    layer_weights: Mapping[str, list[int]]
    """The number of floats of each weight, by layer that the converter did not convert."""
    warnings: list[str]


def read_pnnx(path: str) -> PnnxFile:
    """Return the graph in a `.pnnx.param`. Raises one of `USER_ERRORS`."""
    from ..dialects.pnnx.batch_axes import set_batch_axes
    from ..dialects.pnnx.operations import graph_in
    from ..frontends.pnnx.importer import floats_of_layers

    with open(path, "rb") as f:
        data, frontend = f.read(), frontends()["pnnx.param"]
    if not frontend.looks_like(data):
        raise FormatError(path, "this is not PNNX's own IR, a .pnnx.param")
    weights = weights_beside(path)
    given = ReadOptions(weights if os.path.isfile(weights) else "none")
    source = read_data(data, path, given, frontend)
    graph = graph_in(source.module)
    axes, floats = batch_axes_beside(path), {} if graph is None else floats_of_layers(graph)
    if graph is not None:
        set_batch_axes(graph, axes)
    return PnnxFile(graph, axes, floats, source.warnings)


def read_bytes(data: bytes, weights: bytes | None, options: ReadOptions) -> InputModel:
    """Return the model in the content of a `.param`, `.param.bin` or `.mlir`, and of a `.bin`.
    Raises one of `USER_ERRORS`."""
    from tempfile import TemporaryDirectory

    from .weight_rebinding import detach_weights

    with TemporaryDirectory(prefix="ncnn-opt-") as folder:
        if weights is not None:
            path = os.path.join(folder, "weights.bin")
            with open(path, "wb") as f:
                f.write(weights)
            options = replace(options, weights=path)
        frontend = frontends()[
            "param" if data.lstrip()[:1].isdigit() else frontend_for("", data).kind
        ]
        if options.weights is None and frontend.weights_of("", options) is not None:
            raise UsageError(
                f"a .{frontend.kind} in bytes needs weights: bytes, 'none' or 'random'"
            )
        module, warnings = frontend.read(data, IN_BYTES, options, make_context)
        detach_weights(module)
    return InputModel(module, IN_BYTES, frontend.kind, Origin(None), warnings)


def read_found_pnnx(path: str, say: Callable[[str], None]) -> PnnxFile | None:
    """Return the graph in a `.pnnx.param` that was found beside a model, and say so. A file that
    cannot be read is not used."""
    from .errors import USER_ERRORS, describe

    try:
        file = read_pnnx(path)
    except USER_ERRORS as e:
        say(f"the file beside the model is not used: {describe(e, path)}")
        return None
    say(
        f"using {path} for input shapes, and its operators in place of the converter's layers "
        "(--pnnx none: without it)"
    )
    return file


def read_repaired(
    path: str,
    options: ReadOptions,
    pnnx: str | None,
    given: Collection[str] = (),
    compared: bool = False,
) -> InputModel:
    """Return the model in a file. With the path of a `.pnnx.param`, layers that the runtime lacks
    become layers of the runtime, and inputs get the shapes of the conversion, except for the
    `given` inputs, whose shapes the caller sets. The `.pnnx.param` beside a `.ncnn.param` is found,
    unless `pnnx` is `none`. `compared`: the outputs are compared with PNNX's graph where PyTorch
    and the runtime are installed. Raises one of `USER_ERRORS`."""
    pnnx, is_found = companion_of(path, pnnx)
    if pnnx is None:
        return read_model(path, options)
    from .pipelines import run_pipeline

    notes: list[str] = []
    file = read_found_pnnx(pnnx, notes.append) if is_found else read_pnnx(pnnx)
    if file is None:
        source = read_model(path, options)
        return source._replace(warnings=[*notes, *source.warnings])
    reading = replace(options, layer_weights=file.layer_weights)
    source = read_beside(partial(read_model, path, reading), path, file.graph)
    if file.graph is not None and source.kind != "pnnx.param":
        try:
            take_input_shapes(source.module, file.graph, file.batch_axes, given)
        except PassFailedException as e:
            if not is_found:
                raise
            notes.append(f"{path}: with the input shapes in {pnnx}, {e}")
    attach_to_module(source.module, file.graph)
    check = None
    own = options.weights is None or is_weight_path(options.weights)
    if compared and own and file.graph is not None:
        from .conversion_checks import WITHOUT, ConversionCheck

        check = ConversionCheck(source.module, pnnx, remedy=WITHOUT)
    run_pipeline(source.module, REPAIR, path)
    if check is not None and not missing_layers(source.module):
        check.compare(source.module, path)
    if reason := reason_in(source.module):
        notes.append(describe_unconverted(reason, pnnx))
    notes += [*file.warnings, *source.warnings]
    return source._replace(warnings=notes, repaired=True, unconverted=reason)


def read_converted(path: str) -> InputModel:
    """Return the model of the graph in a `.pnnx.param`. Raises one of `USER_ERRORS`."""
    from .pipelines import run_pipeline

    source = read_model(path, ReadOptions())
    passes = conversion_of(source.module, path)
    notes = batches_in(source.module)
    run_pipeline(source.module, passes, path)
    return source._replace(repaired=True, warnings=[*notes, *source.warnings])


def read_beside(read: Callable[[], InputModel], path: str, graph: "GraphOp | None") -> InputModel:
    """Return the model beside a graph. If the file is invalid, which the runtime does not read
    either, return an empty module: the graph with its weights is enough."""
    try:
        return read()
    except (FormatError, DiagnosticException) as e:
        if graph is None or graph.archive is None:
            raise
        return without_model(path)._replace(warnings=[describe(e, path)])


def without_model(path: str) -> InputModel:
    """Return an empty module in place of the converter's own model in `path`."""
    return InputModel(ModuleOp([]), path, "pnnx.param", Origin(path), [])


def conversion_of(module: ModuleOp, path: str) -> list[ModulePass]:
    """Return the conversion of a module that is a PNNX graph alone, read from `path`."""
    first = module.body.block.first_op
    if first is None or first.next_op is not None or not first.name.startswith("pnnx."):
        return []
    from ..dialects.pnnx.batch_axes import set_batch_axes
    from ..dialects.pnnx.operations import graph_in
    from .pipelines import make_pass

    graph = graph_in(module)
    if graph is None:
        return []
    set_batch_axes(graph, batch_axes_beside(path))
    return [make_pass("convert-pnnx-to-ncnn")]


def batches_in(module: ModuleOp) -> list[str]:
    """Return the lines of `describe_batches` for the graph in a module."""
    from ..dialects.pnnx.operations import graph_in

    graph = graph_in(module) if has_graph(module) else None
    return [] if graph is None else describe_batches(graph)


def has_graph(module: ModuleOp) -> bool:
    """Whether a module contains a PNNX graph. (Its dialect is not imported: other models do without
    it.)"""
    return any(op.name == "pnnx.graph" for op in module.body.block.ops)


def reason_in(module: ModuleOp) -> str:
    """Return the reason why the graph in a module was not converted as a whole, and remove it from
    the module. It is empty for another module."""
    if not module.attributes:
        return ""
    from ..conversion.pnnx_to_ncnn.conversion_pass import pop_reason

    return pop_reason(module) or ""


def describe_unconverted(reason: str, pnnx: str) -> str:
    """Return the message that the graph in a `.pnnx.param` was not converted as a whole."""
    return f"{pnnx} is not converted as a whole, the converter's model is repaired: {reason}"


def read_like(path: str, reading: ReadOptions, shapes: Mapping[str, Shape]) -> FuncOp:
    """Return the function of another export with these input shapes. `reading` are the options of
    the first model. Raises one of `USER_ERRORS`."""
    own = reading.weights  # a file belongs to the first model
    weights = None if is_weight_path(own) else own
    source = read_model(path, replace(reading, weights=weights, layer_weights={}))
    func = model_of(source.module)
    if shapes:
        set_input_shapes(func, shapes)
    return as_second_export(func)


def as_second_export(func: FuncOp) -> FuncOp:
    """Detach a function and mark it as the other export of `make-dynamic`."""
    from ..transforms.dynamic_shapes.dynamic_axes import LIKE

    func.sym_name = StringAttr(LIKE)
    func.detach()
    return func


def attach_to_module(module: ModuleOp, *companions: Operation | None) -> None:
    """Move companions of a model into its module, where passes find them."""
    for op in companions:
        if op is not None:
            if op.parent is not None:
                op.detach()
            module.body.block.add_op(op)
