"""A model as a function: what goes in and out, and under which names.

Inputs are the arguments of the function, outputs what it returns. Their names are attributes of the
function: `ncnn.blob` is a blob's name, `ncnn.layer` that of an Input layer where it is another one,
`ncnn.params` holds parameters of an Input layer that the argument's type does not say.
"""

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, BlockArgument, OpResult, SSAValue

from .assembly import names_of, with_text
from .layer import LayerOp

Output = tuple[SSAValue, DictionaryAttr]
"""A value that is returned, and the attributes of that result."""


def named(blob: str) -> DictionaryAttr:
    """The attributes of an input or output of this name."""
    return DictionaryAttr({"ncnn.blob": StringAttr(blob)})


def input_name(func: FuncOp, index: int) -> str:
    """The blob name of an argument: the declared one, or one made from its name in the text."""
    hint = func.body.block.args[index].name_hint
    return declared_input(func, index) or hint or f"in{index}"


def declared_input(func: FuncOp, index: int) -> str | None:
    """The blob name that the function declares for an argument, if it does."""
    return _string(func.arg_attrs, index, "ncnn.blob")


def input_layer(func: FuncOp, index: int) -> str | None:
    """The name of an argument's Input layer, if it is not the blob's."""
    return _string(func.arg_attrs, index, "ncnn.layer")


def input_params(func: FuncOp, index: int) -> DictionaryAttr | None:
    """The parameters of an argument's Input layer that its type does not say."""
    value = _attr(func.arg_attrs, index, "ncnn.params")
    params = None if value is None else with_text(value)
    return params if isinstance(params, DictionaryAttr) else None


def name_at_producer(value: SSAValue) -> str | None:
    """The blob name that the layer which makes a value gives it."""
    if isinstance(value, OpResult) and isinstance(value.op, LayerOp):
        return names_of(value.op)[value.index]
    return None


def blob_in(attrs: DictionaryAttr) -> str | None:
    """The blob name that attributes of an input or output give, if they do."""
    return text_of(attrs.data.get("ncnn.blob"))


def text_of(attr: Attribute | None) -> str | None:
    """The text in an attribute; `None` if it holds none."""
    text = None if attr is None else with_text(attr)
    return text.data if isinstance(text, StringAttr) else None


def outputs_of(func: FuncOp) -> list[Output]:
    """What the function returns, in order."""
    terminator = func.body.block.last_op
    assert isinstance(terminator, ReturnOp)
    attrs = func.res_attrs.data if func.res_attrs is not None else ()
    return [
        (value, attrs[i] if i < len(attrs) else DictionaryAttr({}))
        for i, value in enumerate(terminator.arguments)
    ]


def output_names(func: FuncOp) -> list[str]:
    """The blob names of what the function returns: declared, as at the producer, or made up."""
    return [
        blob_in(attrs) or name_at_producer(value) or f"out{i}"
        for i, (value, attrs) in enumerate(outputs_of(func))
    ]


def is_one_block(func: FuncOp) -> bool:
    """Whether the function is one block that ends by returning, as that of a model does."""
    blocks = func.body.blocks
    return len(blocks) == 1 and isinstance(blocks[0].last_op, ReturnOp)


def declare_outputs(func: FuncOp) -> None:
    """Gives outputs that have no name of their own that which their producers give them, so that
    they keep it when the producer changes. Leaves a function of several blocks, which is no model,
    as it is."""
    if not is_one_block(func):
        return
    attrs = [
        named(name)
        if blob_in(attrs) is None and (name := name_at_producer(value)) is not None
        else attrs
        for value, attrs in outputs_of(func)
    ]
    func.res_attrs = _attrs(attrs)


def set_outputs(func: FuncOp, outputs: Sequence[Output]) -> None:
    """Lets the function return these values."""
    terminator = func.body.block.last_op
    assert isinstance(terminator, ReturnOp)
    terminator.operands = [value for value, _ in outputs]
    func.res_attrs = _attrs([attrs for _, attrs in outputs])
    update_type(func)


def add_input(func: FuncOp, type_: Attribute, blob: str) -> BlockArgument:
    """A further argument for a blob of this name."""
    block = func.body.block
    attrs = _attr_list(func.arg_attrs, len(block.args))
    arg = block.insert_arg(type_, len(block.args))
    func.arg_attrs = _attrs([*attrs, named(blob)])
    update_type(func)
    return arg


def drop_input(func: FuncOp, arg: BlockArgument) -> None:
    """Removes an argument that nothing uses."""
    attrs = _attr_list(func.arg_attrs, len(func.body.block.args))
    del attrs[arg.index]
    func.body.block.erase_arg(arg)
    func.arg_attrs = _attrs(attrs)
    update_type(func)


def update_type(func: FuncOp) -> None:
    """Makes the function's type that of its arguments and of what it returns, unless it is of
    several blocks."""
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
