"""Names of layers and blobs in the options of a pass."""

from xdsl.utils.arg_spec import ParameterListType


def names_in(option: str, values: ParameterListType) -> tuple[str, ...]:
    """Return the names in an option of a pass. A number such as `12` is also a name. Raise
    `ValueError` for a float, whose spelling the parser does not keep."""
    names: list[str] = []
    for value in values:
        if isinstance(value, float):
            raise ValueError(f'{option}: a name that is a number needs quotes: "{value}"')
        names.append(str(value).lower() if isinstance(value, bool) else str(value))
    return tuple(names)
