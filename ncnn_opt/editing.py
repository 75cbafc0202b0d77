"""Edits of a model in memory (docs/editing.md)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

from .arguments import Expected, Names, checked
from .loaded_model import Model
from .values import reporting

if TYPE_CHECKING:
    from ncnn_opt.driver.edits import Edits


def _is_renaming(value: object) -> bool:
    texts = value.items() if isinstance(value, Mapping) else ()
    return isinstance(value, Mapping) and all(isinstance(t, str) for pair in texts for t in pair)


Renaming = Annotated[
    Mapping[str, str], Expected("a mapping of old names to new names", _is_renaming)
]


@checked
def rename(model: Model, names: Renaming) -> None:
    """Rename inputs, outputs, blobs and layers: `{"in0": "data", "layer:conv1": "stem"}`. Raises
    `NcnnOptError`; the model is then unchanged."""
    from ncnn_opt.driver.edits import Edits

    _edit(model, Edits(rename=[f"{old}={new}" for old, new in names.items()]))


@checked
def reorder(model: Model, inputs: Names = (), outputs: Names = ()) -> None:
    """Order the inputs, or the outputs, or both. An input `"a+b"` is one Input layer with two
    blobs. Raises `NcnnOptError`; the model is then unchanged."""
    from ncnn_opt.driver.edits import Edits

    _edit(model, Edits(inputs=list(inputs), outputs=list(outputs)))


@checked
def insert(model: Model, lines: Names) -> None:
    """Insert layers that are given as lines of a `.param`. Raises `NcnnOptError`; the model is then
    unchanged."""
    from ncnn_opt.driver.edits import Edits

    _edit(model, Edits(insert=list(lines)))


def _edit(model: Model, edits: "Edits") -> None:
    """Run the passes of edits on a copy of a model, which replaces the model's module."""
    from ncnn_opt.driver.pipelines import run_pipeline
    from ncnn_opt.transforms.rewriting.remarks import Remark, listening

    changed, remarks = model.module.clone(), list[Remark]()
    with reporting(model.path), listening(remarks.append):
        steps = [*edits.insertions(), *edits.renamings(), *edits.orders()]
        run_pipeline(changed, steps, model.path)
    model.module = changed
    model.remarks += remarks
