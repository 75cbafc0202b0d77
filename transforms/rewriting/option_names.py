"""Names as a user writes them in the options of a pass."""

from xdsl.utils.arg_spec import ParameterListType


def names_in(option: str, values: ParameterListType) -> tuple[str, ...]:
    """The names that an option of a pass lists: `12` is a name as well. Raises `ValueError` for
    numbers that do not keep how they were written."""
    names: list[str] = []
    for value in values:
        if isinstance(value, float):
            raise ValueError(f'{option}: a name that is a number needs quotes: "{value}"')
        names.append(str(value).lower() if isinstance(value, bool) else str(value))
    return tuple(names)
