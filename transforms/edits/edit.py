"""The base class of edits, and the options that they have in common."""

from abc import ABC
from collections import Counter
from collections.abc import Sequence
from typing import ClassVar, Self, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec

from ..rewriting.option_names import names_in


class Edit(ModulePass, ABC):
    """A pass that makes another model on purpose. Proofs and comparisons of the passes after it
    start with the edited model."""

    LISTS: ClassVar[Sequence[str]] = ()
    """The options, each a list of texts."""

    @classmethod
    def from_spec(cls, spec: ArgSpec) -> Self:
        """Raise `ValueError` for unknown options, or without options."""
        if unknown := [key for key in spec.parameters if key not in cls.LISTS]:
            raise ValueError(f"{cls.name} has the options {listed(cls.LISTS)}, not '{unknown[0]}'")
        given = {key: names_in(key, values) for key, values in spec.parameters.items()}
        if not any(given.values()):
            raise ValueError(f"{cls.name} needs {' or '.join(f'{key}=…' for key in cls.LISTS)}")
        return cls(**given)


def listed(words: Sequence[str]) -> str:
    """Return words as an enumeration."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def repeated(names: Sequence[str]) -> str | None:
    """Return the first name that occurs twice."""
    return next((name for name, n in Counter(names).items() if n > 1), None)


def is_edit(step: ModulePass | None) -> bool:
    """Whether a pass is an edit."""
    return isinstance(cast(object, step), Edit)


def is_several(module: ModuleOp) -> bool:
    """Whether a module has several models."""
    return sum(op.name == "func.func" for op in module.ops) > 1
