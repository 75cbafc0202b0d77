"""A model as a function: its inputs, outputs and their names.

Inputs are the function's arguments, outputs its returned values. Names are attributes of the
function: `ncnn.blob` is a blob's name, `ncnn.layer` the Input layer's name if it differs,
`ncnn.params` the Input layer's parameters that the argument's type does not express.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple, cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, BlockArgument, OpResult, SSAValue

from ..xdsl_extras.strings import with_text
from .assembly import names_of
from .layer import LayerOp
from .structure import InputOp

Output = tuple[SSAValue, DictionaryAttr]
"""A returned value and the attributes of that result."""


def named(blob: str) -> DictionaryAttr:
    """Return the attributes of an input or output of this name."""
    return DictionaryAttr({"ncnn.blob": StringAttr(blob)})


class Names:
    """A generator of unique names."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)
        self._next: dict[str, int] = defaultdict(int)

    def unique(self, wanted: str) -> str:
        """Return `wanted`, with a number appended if it is taken."""
        name = wanted
        while name in self._taken:
            self._next[wanted] += 1
            name = f"{wanted}_{self._next[wanted]}"
        self._taken.add(name)
        return name

    def numbered(self, prefix: str) -> str:
        """Return the prefix with the smallest number that gives a unique name."""
        while True:
            name = f"{prefix}{self._next[prefix]}"
            self._next[prefix] += 1
            if name not in self._taken:
                self._taken.add(name)
                return name


class InterfaceNames(NamedTuple):
    """The blob names of a model's inputs and outputs, as in a file."""

    inputs: dict[SSAValue, str]
    """The results of Input layers: arguments, or results of `ncnn.input` for Input layers among
    other layers."""
    outputs: list[str]
    declared: list[str]
    """The names that the function declares, possibly with duplicates."""
    names: Names
    """The names of further blobs."""


def signature_of(func: FuncOp) -> InterfaceNames:
    """Return the model's names: declared names, then the producers' names of outputs, then
    generated ones."""
    inputs: dict[SSAValue, str | None] = {}
    for arg in func.body.block.args:
        if not has_input_op(arg):
            inputs[arg] = declared_input(func, arg.index)
    for op in func.body.block.ops:
        if isinstance(op, InputOp):
            inputs.update(zip(op.outputs, names_of(op), strict=True))
    outputs = [(v, blob_in(attrs)) for v, attrs in outputs_of(func)] if is_one_block(func) else []
    declared = [name for name in (*inputs.values(), *(name for _, name in outputs)) if name]
    names = Names(declared)
    chosen: list[str] = []
    for value, name in outputs:
        if name is None:
            own = name_at_producer(value)
            name = names.numbered("out") if own is None else names.unique(own)
        chosen.append(name)
    return InterfaceNames(
        {value: name or names.unique(_hinted(value)) for value, name in inputs.items()},
        chosen,
        declared,
        names,
    )


def _hinted(value: SSAValue) -> str:
    """Return the name of an undeclared input from the SSA name in the text."""
    return value.name_hint or (f"in{value.index}" if isinstance(value, BlockArgument) else "in")


def has_input_op(arg: SSAValue) -> bool:
    """Whether an argument's Input layer is an `ncnn.input` among the other layers."""
    uses = [use.operation for use in arg.uses]
    return len(uses) == 1 and isinstance(uses[0], InputOp)


def input_name(func: FuncOp, index: int) -> str:
    """Return the blob name of an argument: declared, or derived from its SSA name."""
    if (declared := declared_input(func, index)) is not None:
        return declared
    arg = func.body.block.args[index]
    return signature_of(func).inputs.get(arg) or _hinted(arg)


def declared_input(func: FuncOp, index: int) -> str | None:
    """Return the blob name that the function declares for an argument, if any."""
    return _string(func.arg_attrs, index, "ncnn.blob")


def input_layer(func: FuncOp, index: int) -> str | None:
    """Return the name of an argument's Input layer if it differs from the blob's name."""
    return _string(func.arg_attrs, index, "ncnn.layer")


def input_params(func: FuncOp, index: int) -> DictionaryAttr | None:
    """Return the parameters of an argument's Input layer that its type does not express."""
    value = _attr(func.arg_attrs, index, "ncnn.params")
    params = None if value is None else with_text(value)
    return params if isinstance(params, DictionaryAttr) else None


def name_at_producer(value: SSAValue) -> str | None:
    """Return the blob name that the producer of a value declares."""
    if isinstance(value, OpResult) and isinstance(value.op, LayerOp):
        return names_of(value.op)[value.index]
    return None


def blob_in(attrs: DictionaryAttr) -> str | None:
    """Return the blob name in the attributes of an input or output, if any."""
    return text_of(attrs.data.get("ncnn.blob"))


def text_of(attr: Attribute | None) -> str | None:
    """Return the text of an attribute; `None` if it has none."""
    text = None if attr is None else with_text(attr)
    return text.data if isinstance(text, StringAttr) else None


def outputs_of(func: FuncOp) -> list[Output]:
    """Return the function's outputs in order."""
    terminator = func.body.block.last_op
    assert isinstance(terminator, ReturnOp)
    attrs = func.res_attrs.data if func.res_attrs is not None else ()
    return [
        (value, attrs[i] if i < len(attrs) else DictionaryAttr({}))
        for i, value in enumerate(terminator.arguments)
    ]


def inputs_of(func: FuncOp) -> dict[str, BlockArgument]:
    """Return the inputs by name, in order."""
    return {input_name(func, i): arg for i, arg in enumerate(func.body.block.args)}


def output_names(func: FuncOp) -> list[str]:
    """Return the blob names of the outputs: declared, from the producer, or generated."""
    return signature_of(func).outputs


def is_one_block(func: FuncOp) -> bool:
    """Whether the function is a single block that ends with a return, like a model's."""
    blocks = func.body.blocks
    return len(blocks) == 1 and isinstance(blocks[0].last_op, ReturnOp)


def declare_outputs(func: FuncOp) -> None:
    """Declare the producers' names for unnamed outputs, so that they survive a replacement of the
    producer. A value that is returned twice has two names. A function of several blocks is not a
    model and is unchanged."""
    if not is_one_block(func):
        return
    outputs = outputs_of(func)
    if all(blob_in(attrs) is not None for _, attrs in outputs):
        return
    attrs = [
        named(name) if blob_in(attrs) is None and name_at_producer(value) is not None else attrs
        for (value, attrs), name in zip(outputs, signature_of(func).outputs, strict=True)
    ]
    func.res_attrs = _attrs(attrs)


def set_outputs(func: FuncOp, outputs: Sequence[Output]) -> None:
    """Replace the returned values."""
    terminator = func.body.block.last_op
    assert isinstance(terminator, ReturnOp)
    terminator.operands = [value for value, _ in outputs]
    func.res_attrs = _attrs([attrs for _, attrs in outputs])
    update_type(func)


def add_input(func: FuncOp, type_: Attribute, blob: str) -> BlockArgument:
    """Append an argument for a blob of this name."""
    block = func.body.block
    attrs = _attr_list(func.arg_attrs, len(block.args))
    arg = block.insert_arg(type_, len(block.args))
    func.arg_attrs = _attrs([*attrs, named(blob)])
    update_type(func)
    return arg


def drop_input(func: FuncOp, arg: BlockArgument) -> None:
    """Remove an unused argument."""
    attrs = _attr_list(func.arg_attrs, len(func.body.block.args))
    del attrs[arg.index]
    func.body.block.erase_arg(arg)
    func.arg_attrs = _attrs(attrs)
    update_type(func)


def update_type(func: FuncOp) -> None:
    """Update the function's type from its arguments and returned values, unless it has several
    blocks."""
    if not is_one_block(func):
        return
    outputs = [value.type for value, _ in outputs_of(func)]
    func.function_type = FunctionType.from_lists(func.body.block.arg_types, outputs)


def _attr_list(attrs: ArrayAttr[DictionaryAttr] | None, count: int) -> list[DictionaryAttr]:
    return [DictionaryAttr({})] * count if attrs is None else list(attrs.data)


def _attrs(attrs: Sequence[DictionaryAttr]) -> ArrayAttr[DictionaryAttr] | None:
    return ArrayAttr(attrs) if any(a.data for a in attrs) else None


def _attr(attrs: ArrayAttr[DictionaryAttr] | None, index: int, key: str) -> Attribute | None:
    return None if attrs is None else attrs.data[index].data.get(key)


def _string(attrs: ArrayAttr[DictionaryAttr] | None, index: int, key: str) -> str | None:
    return text_of(_attr(attrs, index, key))


def blobs_without_split(func: FuncOp) -> list[str]:
    """Return the blobs that several layers of the file read without a Split. The runtime computes
    such a model only with `opt.lightmode = false`."""
    listed = func.attributes.get("ncnn.shared_blobs")
    if not isinstance(listed, ArrayAttr):
        return []
    return [text_of(name) or "" for name in cast(ArrayAttr[Attribute], listed)]


def set_blobs_without_split(func: FuncOp, names: Iterable[str]) -> None:
    """Set the blobs that several layers read without a Split: export writes no Split for them."""
    func.attributes.pop("ncnn.shared_blobs", None)
    if found := [StringAttr(name) for name in dict.fromkeys(names)]:
        func.attributes["ncnn.shared_blobs"] = ArrayAttr(found)
