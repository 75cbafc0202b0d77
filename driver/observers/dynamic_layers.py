"""The layers that `--dynamic` makes dynamic."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from xdsl.ir import Attribute
from xdsl.passes import ModulePass

from ...dialects.ncnn.layer import LayerOp
from ..messages import report
from .run_observer import RunObserver

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

PASS = "make-dynamic"
SHOWN = 6
"""The largest number of layers in the line."""

State = tuple[str, Mapping[str, Attribute]]
"""The label and the parameters of a layer."""


def layers_in(module: "ModuleOp") -> Mapping[str, State]:
    """Return the layers by name."""
    found: dict[str, State] = {}
    for op in module.walk():
        if isinstance(op, LayerOp) and op.layer_name is not None:
            params = {**op.attributes, **op.properties}
            params.pop("shape_hints", None)
            found[op.layer_name.data] = op.label(), params
    return found


class DynamicLayers(RunObserver):
    """Reports the layers that the pass changed or inserted."""

    def __init__(self) -> None:
        self._before: Mapping[str, State] = {}
        self._changed: list[str] = []

    def between_passes(
        self, done: ModulePass | None, module: "ModuleOp", following: ModulePass | None
    ) -> None:
        """Compare the layers before and after the pass."""
        if following is not None and following.name == PASS:
            self._before = layers_in(module)
        if done is not None and done.name == PASS:
            after = layers_in(module)
            self._changed = [
                label
                for name, (label, params) in after.items()
                if self._before.get(name) != (label, params)
            ]

    def report(self, module: "ModuleOp") -> None:
        """Print a line."""
        count = len(self._changed)
        if not count:
            report("--dynamic: no layer contains the input size, so none had to change")
            return
        names = ", ".join(self._changed[:SHOWN])
        more = f" and {count - SHOWN} more" if count > SHOWN else ""
        layers = "1 layer is" if count == 1 else f"{count} layers are"
        report(f"--dynamic: {layers} dynamic now: {names}{more}")
