"""Lint: layers that the format allows, and by which their author meant something else."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects.func import FuncOp

from ..dialects.ncnn.assembly import names_of
from ..dialects.ncnn.blob import shape_of
from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.extents import permutation
from ..dialects.ncnn.function import blobs_without_split, has_input_op, input_layer, input_name
from ..dialects.ncnn.joining import SliceOp
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.lookup import layers_of
from ..dialects.ncnn.reduction import ReductionOp
from ..dialects.ncnn.reshaping import ExpandDimsOp, PermuteOp

NAMED = 5
"""The number of repeated names that are listed."""


@dataclass(frozen=True)
class Lint:
    """A suspicious layer."""

    problem: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.problem}; {self.remedy}"


def lint(func: FuncOp) -> Iterator[Lint]:
    """Yield what is suspicious in a model, given the shapes of its types."""
    yield from repeated_names(func)
    yield from foreign_names(func)
    yield from missing_splits(func)
    for op in layers_of(func):
        yield from lint_layer(op)


def repeated_names(func: FuncOp) -> Iterator[Lint]:
    """Yield names that several layers have. (Programs find a layer by its name.)"""
    names = [*dict.fromkeys(_input_layers(func))]
    names += [op.layer_name.data for op in _layers(func) if op.layer_name is not None]
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        listed = ", ".join(f"'{name}'" for name in repeated[:NAMED])
        more = f" and {len(repeated) - NAMED} more" if len(repeated) > NAMED else ""
        yield Lint(f"several layers are named {listed}{more}", "--unique-names renames them")


def foreign_names(func: FuncOp) -> Iterator[Lint]:
    """Yield layers with the name of a blob that another layer writes."""
    writers: dict[str, str] = {}
    for i in range(len(func.body.block.args)):
        name = input_name(func, i)
        writers[name] = input_layer(func, i) or name
    for op in _layers(func):
        for name in names_of(op):
            if name is not None and op.layer_name is not None:
                writers[name] = op.layer_name.data
    for op in _layers(func):
        name = None if op.layer_name is None else op.layer_name.data
        if name is not None and writers.get(name, name) != name:
            yield Lint(
                f"{op.label()} has the name of a blob that layer '{writers[name]}' writes",
                "--unique-names renames it",
            )


def missing_splits(func: FuncOp) -> Iterator[Lint]:
    """Yield blobs that several layers read without a Split. (The runtime frees a blob after its
    first reader, unless the program sets `opt.lightmode = false`.)"""
    if shared := blobs_without_split(func):
        listed = ", ".join(f"'{name}'" for name in shared[:NAMED])
        more = f" and {len(shared) - NAMED} more" if len(shared) > NAMED else ""
        yield Lint(
            f"several layers read {listed}{more} without a Split, so that a program with ncnn's "
            "default options fails",
            "--eliminate-split and -O write a Split, opt.lightmode = false does without it",
        )


def lint_layer(op: LayerOp) -> Iterator[Lint]:
    """Yield what is suspicious about the parameters of a layer."""
    data = op.data_operands()
    shape = shape_of(data[0].type) if data else None
    rank = None if shape is None else len(shape)
    if isinstance(op, ReductionOp) and not op.reduce_all and not op.axes and rank != 1:
        yield Lint(
            f"{op.label()} reduces no axis",
            "add the axes (-23303=…), or 1=1 to reduce all of them",
        )
    if isinstance(op, SliceOp) and not op.slices and not op.indices:
        yield Lint(
            f"{op.label()} has no parts",
            "add their extents (-23300=…; -233: equal parts) or the indices between (-23302=…)",
        )
    if isinstance(op, PermuteOp) and rank is not None:
        order = permutation(op.order_type, rank)
        if order is not None and list(order) == sorted(order):
            yield Lint(
                f"{op.label()} keeps the order of the axes of a {rank}-D blob",
                "-O removes it; if another order is meant, correct 0=…",
            )
    yield from _axes_out_of_range(op, rank)


def _axes_out_of_range(op: LayerOp, rank: int | None) -> Iterator[Lint]:
    """Yield axes that the input does not have."""
    if rank is None or (isinstance(op, ReductionOp) and (op.reduce_all or rank == 1)):
        return
    axes = [*getattr(op, "axes", ())]
    if "axis" in op.PARAMS and not getattr(op, "repeats", ()):  # (a Tile has either)
        axes.append(getattr(op, "axis"))
    limit = rank + len(axes) if isinstance(op, ExpandDimsOp) else rank
    for axis in axes:
        if not -limit <= axis < limit:
            yield Lint(
                f"{op.label()} has axis {axis}, but its input has {rank} axes",
                "correct the axis, or the shape of the input (--input-shape)",
            )


def _input_layers(func: FuncOp) -> list[str]:
    args = func.body.block.args
    return [
        input_layer(func, i) or input_name(func, i)
        for i, arg in enumerate(args)
        if not has_input_op(arg)
    ]


def _layers(func: FuncOp) -> list[LayerOp]:
    """Return the layers of the file: all but weights."""
    return [
        op for op in layers_of(func) if not (isinstance(op, ConstantOp) and op.layer_name is None)
    ]
