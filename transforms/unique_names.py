"""The pass that gives layers and blobs different names."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass


@dataclass(frozen=True)
class UniqueNames(ModulePass):
    """Rename layers that have the name of a blob or of another layer, which Netron does not accept;
    blobs keep their names. Programs access inputs and outputs by the names of blobs. Layer `conv`
    becomes `conv_layer`.

    The runtime has separate names for layers and blobs. Netron does not: for a layer `data` with a
    blob `data` it reports a duplicate value (ncnn issue 6885).
    """

    name = "unique-names"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr

        from ..dialects.ncnn.assembly import names_of, set_names
        from ..dialects.ncnn.function import Names, has_input_op, input_layer, input_name
        from ..dialects.ncnn.lookup import layers_of, model_of

        func = model_of(op)
        layers = layers_of(func)
        blobs = [input_name(func, arg.index) for arg in func.body.block.args]
        names = Names({*blobs, *(name for each in layers for name in names_of(each) if name)})

        def renamed(name: str) -> str:
            unique = names.unique(name)
            return name if unique == name else names.unique(f"{name}_layer")

        attrs: list[DictionaryAttr] = []
        for arg, blob in zip(func.body.block.args, blobs, strict=True):
            data = dict(func.arg_attrs.data[arg.index].data) if func.arg_attrs else {}
            if not has_input_op(arg):
                data["ncnn.blob"] = StringAttr(blob)
                data["ncnn.layer"] = StringAttr(renamed(input_layer(func, arg.index) or blob))
            attrs.append(DictionaryAttr(data))
        if attrs:
            func.arg_attrs = ArrayAttr(attrs)
        for each in layers:
            if each.layer_name is not None:
                set_names(each, renamed(each.layer_name.data), names_of(each))
