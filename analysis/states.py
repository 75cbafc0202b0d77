"""State: inputs of a model that the application sets to outputs of the call before."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, OpResult, SSAValue

from ..dialects.ncnn.blob import agree, shape_of
from ..dialects.ncnn.cropping import CropOp
from ..dialects.ncnn.function import inputs_of, output_names, outputs_of
from ..dialects.ncnn.joining import ConcatOp, SliceOp
from ..dialects.ncnn.recurrent import Recurrent
from ..dialects.ncnn.structure import InputOp, NoopOp, SplitOp
from .caches import attentions_with_cache

StateKind = Literal["cache", "appended", "history", "recurrent", "named"]

WORDS: dict[StateKind, str] = {
    "cache": "keys or values, which an attention layer appends to",
    "appended": "steps that a Concat appends to",
    "history": "the last steps, which a Concat and a slice shift",
    "recurrent": "the state of a recurrent layer",
    "named": "by its name",
}
"""The meaning of each kind in messages."""

PAIRS = (("in", "out"), ("past", "present"), ("prev", "next"), ("old", "new"))
"""Words of names of inputs and outputs that belong together."""


class State(NamedTuple):
    """An input and an output of a model that belong together."""

    input: str
    output: str
    kind: StateKind
    starts_empty: bool
    """Whether the input of the first call is an empty blob."""


def states_of(func: FuncOp) -> list[State]:
    """Return the states of a model in the order of its inputs; each input and output is in one at
    most. What layers do with an input decides first, then its name."""
    outputs = list(zip(output_names(func), (value for value, _ in outputs_of(func)), strict=True))
    inputs = inputs_of(func)
    found: dict[str, State] = {}
    taken: set[str] = set()

    def add(name: str, output: str, kind: StateKind, starts_empty: bool) -> None:
        if name not in found and output not in taken:
            found[name] = State(name, output, kind, starts_empty)
            taken.add(output)

    names = {_source(value): name for name, value in reversed(outputs)}
    blobs = {blob: name for name, arg in inputs.items() for blob in _blobs(arg)}
    for op in attentions_with_cache(func):
        for past, result in zip(op.past(op.inputs), op.outputs[1:], strict=False):
            if past in blobs and result in names:
                add(blobs[past], names[result], "cache", True)
    for op in func.body.block.ops:
        if isinstance(op, Recurrent):
            for given, result in zip(op.inputs[1:], op.outputs[1:], strict=False):
                if given in blobs and result in names:
                    add(blobs[given], names[result], "recurrent", False)
        if isinstance(op, ConcatOp):
            for index, given in enumerate(op.inputs):
                if given not in blobs:
                    continue
                if op.outputs[0] in names:
                    # A Concat takes the rank of its first input.
                    add(blobs[given], names[op.outputs[0]], "appended", index > 0)
                elif (end := next(_ends(op.outputs[0], names), None)) is not None:
                    add(blobs[given], names[end], "history", False)
    for name, arg in inputs.items():
        for output, value in outputs:
            if isinstance(value, BlockArgument) or not belong(name, output):
                continue
            if agree(shape_of(arg), shape_of(value)):
                add(name, output, "named", False)
    return [found[name] for name in inputs if name in found]


def _blobs(blob: SSAValue) -> Iterator[SSAValue]:
    """Yield a blob and its copies: those of Splits and Noops, and of an Input layer among
    others."""
    yield blob
    for use in blob.uses:
        op = use.operation
        if isinstance(op, InputOp | NoopOp):  # each input is the result of the same index
            for copy in op.outputs[use.index : use.index + 1]:
                yield from _blobs(copy)
        elif isinstance(op, SplitOp):
            for copy in op.outputs:
                yield from _blobs(copy)


def _source(value: SSAValue) -> SSAValue:
    """Return the blob that Splits and Noops copy."""
    while isinstance(value, OpResult) and isinstance(op := value.op, SplitOp | NoopOp):
        value = op.inputs[value.index if isinstance(op, NoopOp) else 0]
    return value


def _ends(joined: OpResult, names: dict[SSAValue, str]) -> Iterator[SSAValue]:
    """Yield the outputs that are parts of a joined blob."""
    for use in (use for copy in _blobs(joined) for use in copy.uses):
        if isinstance(use.operation, CropOp | SliceOp):
            yield from (result for result in use.operation.results if result in names)


def belong(name: str, output: str) -> bool:
    """Whether an output has the name of an input's next value: `out_h` for `h`, `h_out` for `h_in`,
    `present_k` for `past_k`, `hn` for `h0`."""
    if output in (f"out_{name}", f"{name}_out", f"new_{name}", f"next_{name}", f"{name}_new"):
        return True
    parts, others = re.split(r"([_./])", name), re.split(r"([_./])", output)
    if len(parts) == len(others):
        differing = [pair for pair in zip(parts, others, strict=True) if pair[0] != pair[1]]
        if len(differing) == 1 and differing[0] in PAIRS and len(parts) > 1:
            return True
    return name in ("h0", "c0") and output == f"{name[0]}n"
