"""The base class of the observers of a run of `ncnn-opt`.

It adds the end of a run to the events of passes: messages, and fields of the summary.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...transforms.rewriting.observers import Observer

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


class RunObserver(Observer):
    """An observer of the passes on a model, which may also report about them."""

    def finish(self, module: "ModuleOp") -> None:
        """Look at the result of the passes. Not called after an error. May raise one of
        `USER_ERRORS`."""

    def close(self) -> None:
        """End the work, also after an error in a pass."""

    def report(self, module: "ModuleOp") -> None:
        """Print messages about the passes, whose result is `module`."""

    def facts(self) -> Mapping[str, Any]:
        """Return fields of the summary of the run (`Change`)."""
        return {}
