"""Names of blobs and layers, replaced everywhere in a model."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.utils.exceptions import PassFailedException

from ...dialects.ncnn.assembly import names_of, set_names
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.function import (
    blobs_without_split,
    has_input_op,
    input_layer,
    input_name,
    set_blobs_without_split,
    signature_of,
)
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.lookup import layers_of
from ...dialects.xdsl_extras.spelling import nearest

BLOB, LAYER = "blob:", "layer:"
"""The prefixes of an old name that restrict a new name to blobs or to layers."""


def file_layers(func: FuncOp) -> list[LayerOp]:
    """Return the layers of the file in program order: all but weights."""
    return [
        op for op in layers_of(func) if not (isinstance(op, ConstantOp) and op.layer_name is None)
    ]


def blob_names(func: FuncOp) -> list[str]:
    """Return the names of all blobs: inputs, results of layers, outputs of other names."""
    found = [input_name(func, i) for i in range(len(func.body.block.args))]
    found += [name for op in file_layers(func) for name in names_of(op) if name]
    return list(dict.fromkeys([*found, *signature_of(func).outputs]))


def layer_names(func: FuncOp) -> list[str]:
    """Return the names of all layers, Input layers first. Names may occur twice."""
    heads = [
        input_layer(func, i) or input_name(func, i)
        for i, arg in enumerate(func.body.block.args)
        if not has_input_op(arg)
    ]
    named = [op.layer_name.data for op in file_layers(func) if op.layer_name is not None]
    return [*dict.fromkeys(heads), *named]


def rename(func: FuncOp, names: Mapping[str, str]) -> None:
    """Replace names of blobs and layers (`RenameModel`). Raise `PassFailedException` for an unknown
    name, and for one name of two blobs or two layers."""
    blobs, layers = blob_names(func), layer_names(func)
    of_blobs, of_layers = dict[str, str](), dict[str, str]()
    for old, new in names.items():
        kinds = _kinds_of(old, blobs, layers)
        for kind, name in kinds:
            (of_blobs if kind == BLOB else of_layers)[name] = new
    _check(blobs, of_blobs, "blobs")
    _check(layers, of_layers, "layers")
    replace_names(
        func, lambda name: of_blobs.get(name, name), lambda name: of_layers.get(name, name)
    )


def _kinds_of(old: str, blobs: Sequence[str], layers: Sequence[str]) -> list[tuple[str, str]]:
    """Return the blob, the layer, or both, of an old name with or without a prefix."""
    found = [(kind, old) for kind, own in ((BLOB, blobs), (LAYER, layers)) if old in own]
    if found:
        return found
    for kind, own in ((BLOB, blobs), (LAYER, layers)):
        name = old.removeprefix(kind)
        if old.startswith(kind):
            if name in own:
                return [(kind, name)]
            raise PassFailedException(f"there is no {kind[:-1]} '{name}'{nearest(name, own)}")
    hint = nearest(old, list(dict.fromkeys([*blobs, *layers])))
    raise PassFailedException(f"there is no blob and no layer '{old}'{hint}")


def _check(names: Sequence[str], renamed: Mapping[str, str], what: str) -> None:
    """Raise `PassFailedException` if a new name would be the name of two blobs or layers."""
    after = Counter(renamed.get(name, name) for name in names)
    for old, new in renamed.items():
        if after[new] > 1:
            other = next(
                (n for n in names if renamed.get(n, n) == new and n != old), f"another of {what}"
            )
            if other == new:
                advice = f"rename '{other}' as well"
                raise PassFailedException(
                    f"'{old}' cannot become '{new}': another of the {what} has this name; {advice}"
                )
            if names.count(old) > 1:
                raise PassFailedException(
                    f"'{old}' is the name of {names.count(old)} {what}; --unique-names gives them "
                    "different names first"
                )
            raise PassFailedException(f"'{old}' and '{other}' cannot both become '{new}'")


def replace_names(func: FuncOp, blob: Callable[[str], str], layer: Callable[[str], str]) -> None:
    """Replace all names in a function."""
    args = list(func.body.block.args)
    old = [input_name(func, i) for i in range(len(args))]
    heads = [input_layer(func, i) or old[i] for i in range(len(args))]
    outputs = signature_of(func).outputs
    if args:
        attrs = [DictionaryAttr({})] * len(args) if func.arg_attrs is None else func.arg_attrs.data
        entries: list[DictionaryAttr] = []
        for i, arg in enumerate(args):
            data = {**attrs[i].data, "ncnn.blob": StringAttr(blob(old[i]))}
            data.pop("ncnn.layer", None)
            if not has_input_op(arg) and layer(heads[i]) != blob(old[i]):
                data["ncnn.layer"] = StringAttr(layer(heads[i]))
            entries.append(DictionaryAttr(data))
        func.arg_attrs = ArrayAttr(entries)
    for op in file_layers(func):
        own = None if op.layer_name is None else layer(op.layer_name.data)
        set_names(op, own, [None if name is None else blob(name) for name in names_of(op)])
    if outputs:
        given = [] if func.res_attrs is None else [dict(each.data) for each in func.res_attrs.data]
        given += [dict[str, Attribute]()] * (len(outputs) - len(given))
        func.res_attrs = ArrayAttr(
            DictionaryAttr({**each, "ncnn.blob": StringAttr(blob(name))})
            for each, name in zip(given, outputs, strict=True)
        )
    set_blobs_without_split(func, map(blob, blobs_without_split(func)))
