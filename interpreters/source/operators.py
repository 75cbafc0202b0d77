"""The values of PNNX's operators. The operators have PyTorch's names and argument names, so most
are one call of PyTorch; the others are in tables here (see `Graph::python` in PNNX's src/ir.cpp,
which prints the same calls)."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from inspect import signature
from typing import Any

from .expressions import Call, Operand, parse
from .source_steps import StepError, is_sequence, torch

ABSENT = 2147483647
"""PNNX's integer for an absent number in a slice."""

SUBMODULES = frozenset({"fft", "linalg", "special"})
"""The modules of PyTorch whose functions are operators."""

Params = Mapping[str, Any]
Keys = Sequence[str]


def module(type_: str, params: Params, weights: Mapping[str, Any]) -> Any:
    """Return the module of an operator `nn.…`, in evaluation mode. Raises `StepError`."""
    kind = _lookup(torch.nn, type_.removeprefix("nn."), type_)
    if not (isinstance(kind, type) and issubclass(kind, torch.nn.Module)):
        raise StepError(f"PyTorch has no module {type_}")
    given = _clean(params)
    with torch.device("meta"):  # no memory and no random values for weights that are replaced
        made = kind(**given)
    made.load_state_dict(dict(weights), strict=False, assign=True)
    left = [name for name, value in made.named_parameters() if value.is_meta]
    left += [n for n, v in made.named_buffers() if v.is_meta and not n.endswith("_tracked")]
    if left:
        raise StepError(f"the .pnnx.bin has no weight '{left[0]}'")
    return made.eval()


def call_module(type_: str, made: Any, inputs: Sequence[Any], keys: Keys, outputs: int) -> Any:
    """Return the results of a module."""
    if type_ == "nn.MultiheadAttention":
        return _attention(made, inputs, keys, outputs)
    if type_ in ("nn.GRU", "nn.RNN"):
        return made(*inputs)
    if type_ == "nn.LSTM":
        state = (inputs[0], (inputs[1], inputs[2])) if len(inputs) == 3 else inputs
        output, (hidden, cell) = made(*state)
        return output, hidden, cell
    needed = [p for p in signature(made.forward).parameters.values() if p.default is p.empty]
    if 0 < len(needed) < len(inputs):
        # The converter adds the weights of a module that a model uses twice as first inputs.
        inputs = inputs[-len(needed) :]
    return made(*inputs)


def _attention(made: Any, inputs: Sequence[Any], keys: Keys, outputs: int) -> Any:
    masks = {"attn_mask", "key_padding_mask"}
    named = dict(zip(keys, inputs, strict=True)) if keys else {}
    plain = [v for k, v in zip(keys, inputs, strict=True) if k not in masks] if keys else [*inputs]
    mask = {key: value for key, value in named.items() if key in masks}
    if len(plain) == 4 and not mask:
        mask = {"attn_mask": plain.pop()}
    query = plain[0]
    key = plain[1] if len(plain) > 1 else query
    value = plain[2] if len(plain) > 2 else key
    return made(query, key, value, **mask, need_weights=outputs > 1)


def call_function(type_: str, inputs: Sequence[Any], keys: Keys, params: Params) -> Any:
    """Return the results of a function `F.…`, `torch.…`, `Tensor.…`, `aten::…` or `prim::…`. Raises
    `StepError` for an unknown one."""
    if type_ in SPECIAL:
        return SPECIAL[type_](inputs, keys, params)
    given = _clean(params)
    if type_.startswith("aten::"):
        function = _lookup(torch.ops.aten, type_.removeprefix("aten::"), type_)
        return _call_overload(function, type_, inputs, given)
    if type_.startswith("Tensor."):
        method = _lookup(inputs[0], type_.removeprefix("Tensor."), type_) if inputs else None
        if method is None:
            raise StepError(f"{type_} has no input")
        plain, named = _by_key(inputs[1:], keys[1:])
        return method(*plain, **named, **given)
    if type_.startswith("F."):
        function = _lookup(torch.nn.functional, type_.removeprefix("F."), type_)
    elif type_.startswith("torch."):
        function = _function_of_torch(type_.removeprefix("torch."), type_)
    else:
        raise StepError(f"{type_} is unknown")
    plain, named = _by_key(inputs, keys)
    return function(*plain, **named, **given)


def _call_overload(
    function: Any, type_: str, inputs: Sequence[Any], given: Mapping[str, Any]
) -> Any:
    """Call the overload of an `aten` function that takes these arguments. In PNNX's file all
    arguments of the schema are in order, those for keywords included."""
    reason = "it takes other arguments"
    for name in function.overloads():
        overload = getattr(function, name)
        schema = overload._schema.arguments
        if len(inputs) > len(schema) or any(a.is_out for a in schema[: len(inputs)]):
            continue
        plain = [v for a, v in zip(schema, inputs, strict=False) if not a.kwarg_only]
        named = {a.name: v for a, v in zip(schema, inputs, strict=False) if a.kwarg_only}
        try:
            return overload(*plain, **named, **given)
        except (RuntimeError, TypeError, ValueError) as e:
            reason = str(e)
    raise StepError(f"{type_}: {reason.splitlines()[0]}")


def _by_key(inputs: Sequence[Any], keys: Keys) -> tuple[list[Any], dict[str, Any]]:
    """Return the positional and the named inputs."""
    names = keys or [""] * len(inputs)
    pairs = list(zip(names, inputs, strict=True))
    return [v for k, v in pairs if not k], {k: v for k, v in pairs if k}


def _lookup(place: Any, name: str, type_: str) -> Any:
    """Return a function of PyTorch that computes on tensors only: a file may be a stranger's."""
    names = name.split(".")
    *path, last = names
    reads_files = last in ("from_file", "load", "save")
    is_hidden = any(not part or part.startswith("_") for part in names)
    if reads_files or is_hidden or len(path) > 1 or not set(path) <= SUBMODULES:
        raise StepError(f"PyTorch has no {type_} that computes on tensors")
    for part in names:
        place = getattr(place, part, None)
    if not callable(place):
        raise StepError(f"PyTorch has no {type_}")
    return place


def _function_of_torch(name: str, type_: str) -> Any:
    """Return a function `torch.NAME` that is implemented in C++ or in `torch.functional`."""
    function = _lookup(torch, name, type_)
    builtin = isinstance(function, type(torch.add))
    if not builtin and getattr(function, "__module__", "") != "torch.functional":
        raise StepError(f"{type_} is not a function of tensors")
    return function


def _clean(params: Params) -> dict[str, Any]:
    """Return parameters as PyTorch's arguments. The output size 0 is the input's extent."""
    given = {key: _argument(value) for key, value in params.items()}
    if is_sequence(given.get("output_size")):
        given["output_size"] = tuple(n or None for n in given["output_size"])
    return given


def _argument(value: Any) -> Any:
    if is_sequence(value):
        return tuple(map(_argument, value))
    if not isinstance(value, str):
        return value
    if value.startswith("torch."):
        found = getattr(torch, value.removeprefix("torch."), None)
        if not isinstance(found, torch.dtype | torch.layout | torch.memory_format):
            raise StepError(f"{value} is not an element type")
        return found
    return float(value) if value in ("inf", "-inf", "nan") else value


def _slices(inputs: Sequence[Any], keys: Keys, params: Params) -> tuple[Any, ...]:
    """Return the index of a `Tensor.slice`. Its bounds are parameters, inputs, or lists of a
    `pnnx.SliceIndexes`."""
    given = {**params, **{k: v for k, v in zip(keys, inputs, strict=False) if k}}
    dims = given["dims"] if "dims" in given else (given["dim"],)
    rank = inputs[0].dim()
    index: list[Any] = [slice(None)] * rank

    def bound(name: str, i: int) -> int | None:
        value: Any = given[name] if name in given else given.get(f"{name}s")
        if is_sequence(value):
            value = value[i]
        return None if value is None or int(value) == ABSENT else int(value)

    for i, dim in enumerate(dims):
        if (select := bound("select", i)) is not None:
            index[dim % rank] = select
        else:
            index[dim % rank] = slice(bound("start", i), bound("end", i), bound("step", i))
    return tuple(index)


def _slice(inputs: Sequence[Any], keys: Keys, params: Params) -> Any:
    return inputs[0][_slices(inputs, keys, params)]


def _slice_copy(inputs: Sequence[Any], keys: Keys, params: Params) -> Any:
    result = inputs[0].clone()
    result[_slices(inputs, keys, params)] = inputs[1]
    return result


def _slice_indexes(inputs: Sequence[Any], keys: Keys, params: Params) -> Any:
    words = params["indexes"]
    found = [inputs[int(str(w)[1:])] if str(w)[0] == "@" else int(w) for w in words]
    return ([None if value == ABSENT else value for value in found],)


def _index(inputs: Sequence[Any], keys: Keys, params: Params) -> Any:
    if len(inputs) == 2 and "expr" not in params:
        return inputs[0][inputs[1]]
    tree = parse(str(params["expr"]))
    words = list(tree.arguments) if isinstance(tree, Call) else [tree]
    leading = next((i for i, word in enumerate(words) if word is not None), 0)
    # PNNX writes axes that are not indexed as None.
    index = [
        inputs[w.index] if isinstance(w, Operand) else [*w.arguments] if isinstance(w, Call) else w
        for w in words
    ]
    return inputs[0][
        (*[slice(None)] * leading, *(slice(None) if i is None else i for i in index[leading:]))
    ]


def _sizes(inputs: Sequence[Any], params: Params, key: str) -> Sequence[int]:
    sizes = inputs[1] if len(inputs) > 1 else params.get(key)
    return [int(n) for n in (() if sizes is None else sizes)]


def _reshape(inputs: Sequence[Any], keys: Keys, params: Params) -> Any:
    shape = _sizes(inputs, params, "shape")
    if len(inputs) == 1:  # a zero is the input's extent
        shape = [inputs[0].size(i) if n == 0 else n for i, n in enumerate(shape)]
    return inputs[0].reshape(shape)


def _tensors(inputs: Sequence[Any]) -> Sequence[Any]:
    """Return the operands: the inputs, or the elements of an input that is a list."""
    return inputs[0] if len(inputs) == 1 and is_sequence(inputs[0]) else inputs


def _joined(name: str, inputs: Sequence[Any], keys: Keys, params: Params) -> Any:
    return getattr(torch, name)(tuple(_tensors(inputs)), dim=params["dim"])


def _unsqueeze(inputs: Sequence[Any], keys: Keys, params: Params) -> Any:
    dims = params["dim"] if is_sequence(params["dim"]) else (params["dim"],)
    result = inputs[0]
    for dim in sorted(dims, key=lambda n: (n >= 0, abs(n))):
        result = result.unsqueeze(dim)
    return result


def _prod(inputs: Sequence[Any], keys: Keys, params: Params) -> Any:
    if "dim" not in params:
        return torch.prod(inputs[0])
    dims = params["dim"] if is_sequence(params["dim"]) else (params["dim"],)
    result = inputs[0]
    for dim in sorted(dims, key=lambda n: (n >= 0, n if n < 0 else -n)):
        result = torch.prod(result, dim=dim, keepdim=params["keepdim"])
    return result


def _extreme(name: str, inputs: Sequence[Any], keys: Keys, params: Params) -> Any:
    return getattr(torch, name)(*inputs, **_clean(params))


def _pad(inputs: Sequence[Any], keys: Keys, params: Params) -> Any:
    given = _clean(params)
    if given.get("mode", "constant") != "constant":
        given.pop("value", None)
    return torch.nn.functional.pad(inputs[0], **given)


def _where(inputs: Sequence[Any], keys: Keys, params: Params) -> Any:
    plain, named = _by_key(inputs, keys)
    scalars = {k: torch.as_tensor(_argument(v)) for k, v in params.items()}
    return torch.where(*plain, **named, **scalars)


SPECIAL: dict[str, Callable[[Sequence[Any], Keys, Params], Any]] = {
    "Tensor.slice": _slice,
    "Tensor.slice_copy": _slice_copy,
    "Tensor.index": _index,
    "Tensor.reshape": _reshape,
    "Tensor.view": _reshape,
    "Tensor.expand": lambda inputs, _, params: inputs[0].expand(*_sizes(inputs, params, "sizes")),
    "Tensor.repeat": lambda inputs, _, params: inputs[0].repeat(*_sizes(inputs, params, "sizes")),
    "Tensor.fill": lambda inputs, keys, params: (
        inputs[0].clone().fill_(*inputs[1:], **_clean(params))
    ),
    "torch.cat": partial(_joined, "cat"),
    "torch.stack": partial(_joined, "stack"),
    "torch.einsum": lambda inputs, _, params: torch.einsum(params["equation"], *_tensors(inputs)),
    "torch.unsqueeze": _unsqueeze,
    "torch.prod": _prod,
    "torch.max": partial(_extreme, "max"),
    "torch.min": partial(_extreme, "min"),
    "torch.where": _where,
    "F.pad": _pad,
    "pnnx.SliceIndexes": _slice_indexes,
    "prim::TupleConstruct": lambda inputs, keys, params: (list(inputs),),
    "prim::ListConstruct": lambda inputs, keys, params: (list(inputs),),
    "prim::TupleUnpack": lambda inputs, keys, params: list(inputs[0]),
    "prim::ListUnpack": lambda inputs, keys, params: list(inputs[0]),
}
"""Operators whose arguments differ from PyTorch's."""
