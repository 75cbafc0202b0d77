"""Edits of a model in memory (docs/editing.md).

An edit runs a pass on a copy, which replaces the model only if the pass succeeds: after an error
the model is unchanged.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, cast

from .arguments import TEXT, Expected, Names, Positive, as_array, validate_arguments
from .loaded_model import Model
from .values import NcnnOptError, reporting

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from xdsl.dialects.func import FuncOp

    from ncnn_opt.driver.edits import Edits


def _is_renaming(value: object) -> bool:
    if not isinstance(value, Mapping):
        return False
    pairs = cast(Mapping[object, object], value).items()
    return all(isinstance(text, str) for pair in pairs for text in pair)


Renaming = Annotated[
    Mapping[str, str], Expected("a mapping of old names to new names", _is_renaming)
]


Functions = Annotated[
    Mapping[str, str], Expected("a mapping of layer types to shape functions", _is_renaming)
]


def _is_model(value: object) -> bool:
    return isinstance(value, Model)


def _is_fraction(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _are_layers(value: object) -> bool:
    if not isinstance(value, Mapping):
        return False
    pairs = cast(Mapping[object, object], value).items()
    return all(isinstance(key, str) and isinstance(each, Model) for key, each in pairs)


def _are_models(value: object) -> bool:
    return isinstance(value, list | tuple) and all(
        isinstance(each, Model) for each in cast(Sequence[object], value)
    )


@validate_arguments
def set_weight(
    model: Model,
    layer: Annotated[str, TEXT],
    weight: Annotated[str, TEXT],
    values: "ArrayLike",
) -> None:
    """Replace a weight of a layer by values of the same shape: `set_weight(model, "conv1",
    "weight", 2 * old)`. They are stored in the type of the old ones. Raises `NcnnOptError`; the
    model is then unchanged."""
    from ncnn_opt.dialects.ncnn.lookup import layers_of, model_of
    from ncnn_opt.driver.model_contents import replace_weight

    model.layer(layer)  # an unknown name, or one of several layers
    with reporting(model.path):
        ops = layers_of(model_of(model.module))
        named = (op for op in ops if op.layer_name is not None and op.layer_name.data == layer)
        replace_weight(next(named), weight, as_array(values, "values"))


@validate_arguments
def rename(model: Model, names: Renaming) -> None:
    """Rename inputs, outputs, blobs and layers: `{"in0": "data", "layer:conv1": "stem"}`. Raises
    `NcnnOptError`; the model is then unchanged."""
    from ncnn_opt.driver.edits import Edits

    _edit(model, Edits(rename=[f"{old}={new}" for old, new in names.items()]))


@validate_arguments
def reorder(model: Model, inputs: Names = (), outputs: Names = ()) -> None:
    """Order the inputs, or the outputs, or both. An input `"a+b"` is one Input layer with two
    blobs. Raises `NcnnOptError`; the model is then unchanged."""
    from ncnn_opt.driver.edits import Edits

    _edit(model, Edits(inputs=list(inputs), outputs=list(outputs)))


@validate_arguments
def insert(model: Model, lines: Names) -> None:
    """Insert layers that are given as lines of a `.param`. Raises `NcnnOptError`; the model is then
    unchanged."""
    from ncnn_opt.driver.edits import Edits

    _edit(model, Edits(insert=list(lines)))


@validate_arguments
def interpolate(
    model: Model,
    other: Annotated[Model, Expected("a Model", _is_model)],
    fraction: Annotated[float, Expected("a number from 0 to 1", _is_fraction)],
) -> None:
    """Give the weights of a model values between its own and those of another model with the same
    layers. Raises `NcnnOptError`; the model is then unchanged."""
    from ncnn_opt.driver.edits import Edits

    _edit(model, Edits(fractions=[float(fraction)]), [other])


@validate_arguments
def expand_custom(
    model: Model,
    layers: Annotated[Mapping[str, Model], Expected("a mapping of types to Models", _are_layers)],
) -> None:
    """Replace the custom layers of some types by the layers of equivalent models. Raises
    `NcnnOptError`; the model is then unchanged."""
    from ncnn_opt.driver.edits import Edits

    _edit(model, Edits(expanded=list(layers)), list(layers.values()))


@validate_arguments
def declare_shapes(model: Model, functions: Functions) -> None:
    """Declare the shape functions of custom layers by type: `{"MyLayer": "*(0w,2),0h"}`. Raises
    `NcnnOptError`; the model is then unchanged."""
    from ncnn_opt.driver.edits import Edits

    _edit(model, Edits(shapes=[f"{type_}={text}" for type_, text in functions.items()]))


@validate_arguments
def join(
    models: Annotated[Sequence[Model], Expected("a list of Models", _are_models)],
    pairs: Renaming | None = None,
    inputs: Names = (),
) -> Model:
    """Return models joined into one: inputs read the outputs of their names, or those of `pairs`
    (`{"out0": "in0"}`: output to input). `inputs` is the order of the inputs. The models stay as
    they are. Raises `NcnnOptError`."""
    from xdsl.dialects.builtin import ModuleOp

    from ncnn_opt.driver.edits import Edits
    from ncnn_opt.driver.pipelines import run_pipeline

    if len(models) < 2:
        raise NcnnOptError("join: models must be two Models or more")
    with reporting(models[0].path):
        module = ModuleOp(_functions(models))
        edits = Edits(join=[f"{a}={b}" for a, b in (pairs or {}).items()], joined_inputs=inputs)
        run_pipeline(module, edits.joins(), models[0].path)
    return Model(models[0].path, module)


@validate_arguments
def split(
    model: Model, at: Names = (), size: Positive | None = None, parts: Positive | None = None
) -> list[Model]:
    """Return the parts of a model that end with the layers that write the blobs `at`, whose
    weights have at most `size` bytes, or so many `parts` of about the same size.
    `ncnn_opt.join(parts)` is the model again. Raises `NcnnOptError`."""
    from xdsl.dialects.builtin import ModuleOp, StringAttr

    from ncnn_opt.dialects.ncnn.lookup import functions_of
    from ncnn_opt.driver.edits import Edits
    from ncnn_opt.driver.pipelines import run_pipeline

    if sum((bool(at), size is not None, parts is not None)) != 1:
        raise NcnnOptError("split: give either at, size or parts")
    module = model.module.clone()
    with reporting(model.path):
        edits = Edits(split_at=list(at), split_size=size, split_parts=parts)
        run_pipeline(module, edits.splits(), model.path)
        found: list[Model] = []
        for func in functions_of(module):
            func.detach()
            func.sym_name = StringAttr("main")
            found.append(Model(model.path, ModuleOp([func])))
    return found


def _functions(models: Sequence[Model]) -> "list[FuncOp]":
    """Return copies of the functions of models, with different names."""
    from xdsl.dialects.builtin import StringAttr

    from ncnn_opt.dialects.ncnn.lookup import model_of

    functions = [model_of(model.module).clone() for model in models]
    for i, func in enumerate(functions):
        func.sym_name = StringAttr("main" if i == 0 else f"model{i + 1}")
    return functions


def _edit(model: Model, edits: "Edits", others: Sequence[Model] = ()) -> None:
    """Run the passes of edits on a copy of a model, with other models beside it. The copy replaces
    the model's module."""
    from ncnn_opt.driver.pipelines import run_pipeline
    from ncnn_opt.transforms.rewriting.remarks import Remark, listening

    changed, remarks = model.module.clone(), list[Remark]()
    with reporting(model.path), listening(remarks.append):
        changed.body.block.add_ops(_functions([model, *others])[1:])
        steps = [
            *edits.joins(),
            *edits.declarations(),
            *edits.insertions(),
            *edits.renamings(),
            *edits.orders(),
        ]
        run_pipeline(changed, steps, model.path)
    model.module = changed
    model.remarks += remarks
