"""Custom layers: Python classes that the process with the runtime imports and registers."""

import inspect
import os
import sys
from collections.abc import Mapping, Sequence

from ..interpreters.errors import RunError

Location = tuple[str, str, Sequence[str]]
"""The module or file of a class, its name, and the folders in which modules are looked up."""
CustomLayers = Mapping[str, Location]
"""The classes of custom layers by layer type."""


def locate(type_: str, layer: object) -> Location:
    """Return the location of a class, given as a class, as `module:Class` or as
    `file.py:Class`. Raises `RunError`."""
    if isinstance(layer, type):
        return _location_of(type_, layer)
    module, _, name = str(layer).rpartition(":")
    if not module or not name.isidentifier():
        raise RunError(f"custom layer {type_}: '{layer}' is not module:Class or file.py:Class")
    if module.endswith(".py"):
        if not os.path.isfile(module):
            raise RunError(f"custom layer {type_}: there is no file '{module}'")
        module = os.path.abspath(module)
    return module, name, [os.getcwd(), *sys.path]


def _location_of(type_: str, layer: type) -> Location:
    module = layer.__module__
    if module == "__main__":  # another process has another main module
        try:
            module = os.path.abspath(inspect.getfile(layer))
        except (OSError, TypeError):
            module = ""
        if not os.path.isfile(module):
            raise RunError(
                f"custom layer {type_}: the class '{layer.__name__}' is in no file, so that the "
                "process with the runtime cannot import it: move it to a module"
            )
    if "." in layer.__qualname__:
        raise RunError(
            f"custom layer {type_}: the class '{layer.__qualname__}' is inside another scope: move "
            "it to the level of the module"
        )
    return module, layer.__name__, list(sys.path)
