"""Models joined into one."""

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, BlockArgument, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from ...dialects.ncnn.assembly import names_of, set_names
from ...dialects.ncnn.function import (
    Names,
    blobs_without_split,
    has_input_op,
    inputs_of,
    named,
    outputs_of,
    set_blobs_without_split,
    set_outputs,
    signature_of,
    update_type,
)
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.structure import SplitOp
from ...dialects.xdsl_extras.spelling import nearest_or_all
from .naming import (
    blob_names,
    file_layers,
    layer_names,
    replace_names,
)
from .ordering import raise_input_ops

PART_SPLIT = "splitparts_"
"""The prefix of Splits that exist because a blob is read in several parts of a model."""

Pairs = Sequence[tuple[str, str]]


def join(module: ModuleOp, pairs: Pairs, apart: bool = False) -> tuple[int, list[str]]:
    """Join the functions of a module into `main` (`JoinModels`). Return their number and the
    connected blobs. Raise `PassFailedException`."""
    parts = [op for op in module.ops if isinstance(op, FuncOp)]
    if len(parts) < 2:
        raise PassFailedException("--join needs two models or more")
    links = _links_of(parts, pairs, apart)
    order = _in_order(parts, links)
    whole, first = parts[order[0]], order[0]
    values: dict[tuple[int, str], SSAValue] = {}
    used = {first: set[str]()}
    for name, (value, _) in zip(signature_of(whole).outputs, outputs_of(whole), strict=True):
        values[first, name] = value
    names = {value: name for (_, name), value in values.items()}
    done = [first]
    for part in order[1:]:
        made = _append(whole, parts[part], part, links[part], values, used)
        values.update({(part, name): value for name, value in made.items()})
        names.update({value: name for name, value in made.items()})
        used.setdefault(part, set())
        done.append(part)
    _return(whole, done, values, used)
    whole.sym_name = StringAttr("main")
    for part in order[1:]:
        Rewriter.erase_op(parts[part])
    _remove_part_splits(whole)
    infer_types(whole)
    connected = [f"{name}" for links_ in links for name, source in links_.items() if source]
    return len(parts), list(dict.fromkeys(connected))


# -- connections

Links = dict[str, tuple[int, str] | None]
"""For each input of a part the part and the output that it reads; `None` for an input of the
model."""


def _links_of(parts: Sequence[FuncOp], pairs: Pairs, apart: bool) -> list[Links]:
    """Return the connections of each part. Raise `PassFailedException` for a name in a pair that no
    part has, and if a part is connected to no other."""
    outputs = [signature_of(part).outputs for part in parts]
    inputs = [list(inputs_of(part)) for part in parts]
    for output, input_ in pairs:
        for what, name, known in (("output", output, outputs), ("input", input_, inputs)):
            flat = list(dict.fromkeys(each for names in known for each in names))
            if name not in flat:
                raise PassFailedException(
                    f"--join {output}={input_}: no model has an {what} '{name}'"
                    + nearest_or_all(name, flat, f"{what}s")
                )
    wanted = {input_: output for output, input_ in pairs}
    links: list[Links] = []
    for i, own in enumerate(inputs):
        found: Links = {}
        for name in own:
            source = wanted.get(name, name)
            near = [*reversed(range(i)), *range(i + 1, len(parts))]
            if name in wanted:
                near = [*reversed(range(i))]
            at = next((j for j in near if source in outputs[j]), None)
            found[name] = None if at is None else (at, source)
        links.append(found)
    for output, input_ in pairs:
        if not any(each.get(input_) for each in links):
            raise PassFailedException(
                f"--join {output}={input_}: no model before the one with the input '{input_}' has "
                f"the output '{output}'; give the models in the order of computation"
            )
    for i, own in enumerate(inputs):
        shares = any(set(own) & set(other) for j, other in enumerate(inputs) if j != i)
        reads = any(links[i].values())
        is_read = any(s is not None and s[0] == i for each in links for s in each.values())
        if not (shares or reads or is_read or apart):
            before = ", ".join(outputs[i - 1]) if i else ", ".join(outputs[i])
            after = ", ".join(own) if i else ", ".join(inputs[1])
            raise PassFailedException(
                f"model {i + 1} is connected to no other: outputs {before}, inputs {after}; "
                "--join OUTPUT=INPUT connects them"
            )
    return links


def _in_order(parts: Sequence[FuncOp], links: Sequence[Links]) -> list[int]:
    """Return the parts so that each follows those that it reads. Raise `PassFailedException` for a
    cycle."""
    order: list[int] = []
    while len(order) < len(parts):
        ready = next(
            (
                i
                for i in range(len(parts))
                if i not in order and all(s is None or s[0] in order for s in links[i].values())
            ),
            None,
        )
        if ready is None:
            left = [i for i in range(len(parts)) if i not in order]
            i = left[0]
            name, source = next(
                (n, s) for n, s in links[i].items() if s is not None and s[0] not in order
            )
            raise PassFailedException(
                f"the models need each other's outputs: model {i + 1} reads '{name}' of model "
                f"{source[0] + 1}, which depends on model {i + 1}; a .param has no cycles"
            )
        order.append(ready)
    return order


# -- one part behind the others


def _append(
    whole: FuncOp,
    part: FuncOp,
    index: int,
    links: Links,
    values: dict[tuple[int, str], SSAValue],
    used: dict[int, set[str]],
) -> dict[str, SSAValue]:
    """Move the layers of a part to the end of the whole model. Return its outputs by name."""
    shared = inputs_of(whole)
    raise_input_ops(part, {n for n, source in links.items() if n in shared or source is not None})
    outputs = list(signature_of(part).outputs)
    _make_unique(whole, part, {n for n, s in links.items() if s is not None or n in shared})
    ends = [value for value, _ in outputs_of(part)]
    args = list(part.body.block.args)
    attrs = list(part.arg_attrs.data) if part.arg_attrs else [DictionaryAttr({})] * len(args)
    for arg, each, (name, source) in zip(args, attrs, links.items(), strict=True):
        if source is not None:
            value = values[source]
            used[source[0]].add(source[1])
        elif name in shared:
            value = _read_input(shared[name])
        else:
            value = _add_argument(whole, arg.type, arg.name_hint, each, name)
        arg.replace_all_uses_with(value)
        ends = [value if end is arg else end for end in ends]
    shared_blobs = [*blobs_without_split(whole), *blobs_without_split(part)]
    set_blobs_without_split(whole, shared_blobs)
    end = whole.body.block.last_op
    assert end is not None
    for op in list(part.body.block.ops):
        if not isinstance(op, ReturnOp):
            op.detach()
            Rewriter.insert_op(op, InsertPoint.before(end))
    return dict(zip(outputs, ends, strict=True))


def _read_input(arg: BlockArgument) -> SSAValue:
    """Return the value that layers read as an input: an Input layer among them writes it."""
    if has_input_op(arg):
        (use,) = arg.uses
        return use.operation.results[use.index]
    return arg


def _add_argument(
    whole: FuncOp, type_: Attribute, hint: str | None, attrs: DictionaryAttr, name: str
) -> SSAValue:
    block = whole.body.block
    old = list(whole.arg_attrs.data) if whole.arg_attrs else []
    old += [DictionaryAttr({})] * (len(block.args) - len(old))
    arg = block.insert_arg(type_, len(block.args))
    arg.name_hint = hint
    whole.arg_attrs = ArrayAttr([*old, DictionaryAttr({**attrs.data, **named(name).data})])
    update_type(whole)
    return arg


def _make_unique(whole: FuncOp, part: FuncOp, joined: set[str]) -> None:
    """Rename blobs of a part whose names the whole model has, with their layers. Names of connected
    inputs, and of outputs, do not count: they vanish, or are checked at the end."""
    own = blob_names(whole)
    names = Names([*own, *blob_names(part)])
    ends = set(signature_of(part).outputs)
    clashes = {n for n in blob_names(part) if n in own and n not in joined}
    renamed = {name: names.unique(name) for name in blob_names(part) if name in clashes - ends}
    taken = Names([*layer_names(whole), *layer_names(part)])
    layers: dict[str, str] = {}
    mine = set(layer_names(whole))
    for op in file_layers(part):
        name = None if op.layer_name is None else op.layer_name.data
        if name in mine and (set(names_of(op)) & clashes):
            layers[name] = taken.unique(name)
    replace_names(part, lambda n: renamed.get(n, n), lambda n: layers.get(n, n))


def _return(
    whole: FuncOp,
    done: Sequence[int],
    values: dict[tuple[int, str], SSAValue],
    used: dict[int, set[str]],
) -> None:
    """Return the outputs that no part reads. Raise `PassFailedException` for one name of two."""
    ends = [(name, v) for (p, name), v in values.items() if p in done and name not in used[p]]
    seen: dict[str, SSAValue] = {}
    for name, value in ends:
        if seen.setdefault(name, value) is not value:
            raise PassFailedException(
                f"two models have an output '{name}': --join {name}=INPUT connects it, or --rename "
                "gives it another name in one of the files"
            )
    set_outputs(whole, [(value, named(name)) for name, value in ends])


def _remove_part_splits(whole: FuncOp) -> None:
    """Remove the Splits that only the parts needed."""
    shared: list[str] = []
    for op in [op for op in whole.body.block.ops if isinstance(op, SplitOp)]:
        if op.layer_name is None or not op.layer_name.data.startswith(PART_SPLIT):
            continue
        if any(isinstance(u.operation, ReturnOp) for r in op.results for u in r.uses):
            continue
        name, value = names_of(op)[-1], op.inputs[0]
        for result in op.results:
            result.replace_all_uses_with(value)
        if name is not None and isinstance(value, OpResult) and isinstance(value.op, LayerOp):
            own, layer = list(names_of(value.op)), value.op.layer_name
            own[value.index] = name
            set_names(value.op, None if layer is None else layer.data, own)
            shared.append(name)
        Rewriter.erase_op(op)
    set_blobs_without_split(whole, [*blobs_without_split(whole), *shared])


def infer_types(func: FuncOp) -> None:
    """Infer the types of all blobs from the inputs."""
    for op in func.body.block.ops:
        if isinstance(op, LayerOp) and op.results:
            for result, type_ in zip(op.results, op.infer_types() or (), strict=False):
                if result.type != type_:
                    Rewriter.replace_value_with_new_type(result, type_)
    update_type(func)
