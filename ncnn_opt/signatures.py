"""Signatures of public functions: types as `help` shows them, and former names of keywords."""

import warnings
from collections.abc import Callable
from functools import wraps
from inspect import Parameter, Signature, signature
from types import UnionType
from typing import Annotated, Any, ForwardRef, ParamSpec, TypeVar, Union, get_args, get_origin

from .values import NcnnOptError

P = ParamSpec("P")
R = TypeVar("R")


def plain_signature(function: Callable[..., object]) -> Signature:
    """Return the signature of a function with plain types: without the metadata of `Annotated`, and
    with the text of a type that is not imported at run time."""
    whole = signature(function)
    parameters = [
        each.replace(annotation=_plain(each.annotation)) for each in whole.parameters.values()
    ]
    return whole.replace(parameters=parameters)


def _plain(annotation: Any) -> Any:
    if annotation is Parameter.empty:
        return annotation
    if get_origin(annotation) is Annotated:
        return _plain(get_args(annotation)[0])
    if isinstance(annotation, ForwardRef):
        return annotation.__forward_arg__
    if get_origin(annotation) in (Union, UnionType):
        parts = [_plain(each) for each in get_args(annotation)]
        if any(isinstance(each, str) for each in parts):
            return " | ".join(map(_text, parts))
        whole = parts[0]
        for each in parts[1:]:
            whole = whole | each
        return whole
    return annotation


def _text(kind: Any) -> str:
    if isinstance(kind, str):
        return kind
    return "None" if kind is type(None) else str(getattr(kind, "__name__", kind))


def renamed(**present: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that accepts former names of keywords, with a `DeprecationWarning`, for
    one release. `present` maps each former name to the present one."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            if present.keys() & kwargs.keys():
                kwargs = _in_present_names(function.__name__, present, kwargs)  # pyright: ignore
            return function(*args, **kwargs)

        return call

    return decorate


def _in_present_names(
    function: str, present: dict[str, str], given: dict[str, Any]
) -> dict[str, Any]:
    values = dict(given)
    for former in present.keys() & given.keys():
        name = present[former]
        if name in given:
            raise NcnnOptError(
                f"{function}: {former} is the former name of {name}: give only {name}"
            )
        warnings.warn(
            f"{function}: {former} is now {name}; the former name works until the next release",
            DeprecationWarning,
            stacklevel=3,
        )
        values[name] = values.pop(former)
    return values
