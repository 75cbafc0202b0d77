"""The pass that infers the shapes of all blobs and writes them to files."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.passes import ModulePass

if TYPE_CHECKING:
    from ..dialects.ncnn.weight_specs import Shape


@dataclass(frozen=True)
class InferShapes(ModulePass):
    """Infer the shape of each blob from the shapes of the inputs, and write the shapes to the files
    as shape hints. Shapes that cannot be inferred stay unknown.

    `input_shape` sets the shapes of inputs, each as `NAME:EXTENTS`, row-major, with `?` for a
    dynamic extent: `"data:3x224x224"`. With `hints`, layers whose outputs are all static get shape
    hints, and other layers lose them; with `hints=false`, all layers lose them. So they do if an
    inferred shape contradicts a layer: with a wrong hint, a GPU computes something else.

    A type keeps static extents that do not follow from the inputs, unless it may depend on an input
    with a new shape.
    """

    name = "ncnn-infer-shapes"
    input_shape: tuple[str, ...] = ()
    hints: bool = True

    def __post_init__(self) -> None:
        """Raises `ValueError` for an invalid input shape."""
        self.input_shapes()

    def input_shapes(self) -> "dict[str, Shape]":
        """Return the new shape of each named input. Raises `ValueError`."""
        return parse_shapes("input_shape", self.input_shape)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from xdsl.dialects.func import FuncOp

        from ..analysis.input_shapes import shape_faults
        from ..analysis.shape_inference import drop_hints, infer, set_input_shapes, write_hints
        from ..dialects.ncnn.lookup import is_lowered, model_of

        if shapes := self.input_shapes():
            functions = [model_of(op)]
            set_input_shapes(functions[0], shapes)
        else:
            functions = [f for f in op.ops if isinstance(f, FuncOp) and len(f.body.blocks) == 1]
            for func in functions:
                infer(func)
        for func in functions:
            if is_lowered(func):  # no ncnn file can contain it
                continue
            if self.hints and next(shape_faults(func), None) is None:
                write_hints(func)
            else:
                drop_hints(func)


def parse_shapes(option: str, texts: Sequence[str]) -> "dict[str, Shape]":
    """Parse the shapes of inputs in an option of a pass, each as `NAME:EXTENTS`. Raises
    `ValueError`."""
    shapes: dict[str, Shape] = {}
    for text in texts:
        name, _, extents = text.rpartition(":")
        if not name:
            raise ValueError(f"{option} takes NAME:EXTENTS, not '{text}'")
        if name in shapes:
            raise ValueError(f"{option} has '{name}' twice")
        shapes[name] = parse_extents(extents.split("x"))
    return shapes


def shape_texts(shapes: "Mapping[str, Shape]") -> tuple[str, ...]:
    """Return shapes of inputs as such an option."""
    return tuple(
        f"{name}:{'x'.join('?' if n == DYNAMIC_INDEX else str(n) for n in shape)}"
        for name, shape in shapes.items()
    )


def _hint(texts: Sequence[str]) -> str:
    """Return the spelling of `1x3x224x224` with commas, without the batch axis."""
    extents = texts[0].split("x") if len(texts) == 1 else []
    if len(extents) < 2 or not all(re.fullmatch(r"\?|[0-9]+", text) for text in extents):
        return ""
    batch = len(extents) == 4 and extents[0] == "1"
    words = ", without the batch axis" if batch else ""
    return f"; write {','.join(extents[1:] if batch else extents)}{words}"


def parse_extents(texts: Sequence[str]) -> "Shape":
    """Parse a shape, `?` for a dynamic extent. Raises `ValueError`."""
    if not all(re.fullmatch(r"\?|0*[1-9][0-9]{0,9}", text) for text in texts):
        given = ",".join(texts)
        raise ValueError(f"extents are positive numbers or ?, not '{given}'{_hint(texts)}")
    shape = tuple(DYNAMIC_INDEX if text == "?" else int(text) for text in texts)
    if len(shape) > 4 or max(shape) >= 2**31:
        raise ValueError(f"a blob has 1 to 4 extents of 31 bits, not '{','.join(texts)}'")
    return shape
