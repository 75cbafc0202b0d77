"""Verification of a model of dynamic shapes: at the sizes of its exports, and at other sizes."""

from collections.abc import Iterator, Mapping

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ...analysis.input_shapes import contradictions
from ...analysis.shape_inference import with_shapes
from ...dialects.ncnn.blob import static_shape_of
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.weight_specs import Shape, pattern_text
from ...dialects.shapes.terms import Atom, ExtentTerm
from .dynamic_axes import DynamicAxis
from .exported_model import ExportedModel, evaluate, named_extent

DynamicAxes = Mapping[int, Mapping[int, DynamicAxis]]
"""The dynamic axes of the inputs, by input and place."""

MULTIPLES = (2, 4, 8, 16, 32, 64)
"""The integers whose multiples are tried as extents."""


def differs_from_exports(model: ExportedModel) -> Iterator[str]:
    """Yield, for each export, the first layer whose results have other shapes for the inputs of
    that export."""
    args = model.func.body.block.args
    for which in range(2 if model.others else 1):
        inputs = [(model.shapes(arg) or [])[which:] for arg in args]
        _, mapped = _at(model.func, {i: each[0] for i, each in enumerate(inputs) if each})
        for op in model.func.body.block.ops:
            if not isinstance(op, LayerOp) or isinstance(op, ConstantOp):
                continue
            found = next(_differing(op, which, model, mapped), None)
            if found:
                yield found
                break


def _differing(
    op: LayerOp, which: int, model: ExportedModel, mapped: Mapping[SSAValue, SSAValue]
) -> Iterator[str]:
    for value in op.results:
        shapes, shape = model.shapes(value), static_shape_of(mapped[value])
        if shapes is None or shape is None or which >= len(shapes):
            continue
        if shapes[which] != shape:
            name = "the other export" if which else "the export"
            yield (
                f"{op.label()} gives {pattern_text(shape)} at the size of {name}, and "
                f"{pattern_text(shapes[which])} there"
            )


def problems_at_other_sizes(model: ExportedModel, axes: DynamicAxes) -> list[str]:
    """Return a contradiction with inputs of other sizes, if any. If inputs of certain multiples do
    not contradict the model, the message recommends them."""
    found = _contradiction(model, axes, 1)
    if found is None:
        return []
    if any(axis.names for own in axes.values() for axis in own.values()):
        return [found]
    for times in MULTIPLES:
        if _contradiction(model, axes, times) is None:
            return [f"{found}; {multiples_text(axes, times)}"]
    return [found]


def multiples_text(axes: DynamicAxes, times: int) -> str:
    """Return the advice to make axes dynamic for extents that are multiples of `times` more."""
    options: list[str] = []
    for own in axes.values():
        extents = ",".join(f"{a.multiple * times}*{a.axis}" for a in own.values())
        options += [f"--dynamic {a.input}={extents}" for a in list(own.values())[:1]]
    return f"multiples fit: {' '.join(options)}"


def _contradiction(model: ExportedModel, axes: DynamicAxes, times: int) -> str | None:
    """Return a contradiction with larger inputs. Each axis grows to another multiple of `times`."""
    names = {name for own in axes.values() for axis in own.values() for name, _ in axis.names}
    for step in range(3):
        shapes: dict[int, Shape] = {}
        count = step
        values: dict[str, int] = {}
        for i, name in enumerate(sorted(names)):
            numbers = model.numbers_of(named_extent(name)) or (0,)
            values[name] = numbers[0] + 1 + (3, 8, 1)[(step + i) % 3]
        for index, own in axes.items():
            shape = list(static_shape_of(model.func.body.block.args[index]) or ())
            for place, axis in own.items():
                if axis.names:
                    shape[place] = axis.extent(values)
                    continue
                least = axis.multiple * times
                shape[place] = (shape[place] // least + 1 + (3, 8, 1)[count % 3]) * least
                count += 1
            shapes[index] = tuple(shape)
        copy, mapped = _at(model.func, shapes)
        sizes = " and ".join(pattern_text(shape) for shape in shapes.values())
        for each in contradictions(copy):
            return f"{each} with inputs of {sizes}"
        if (problem := _differs_from_terms(model, mapped, values)) is not None:
            return f"{problem} with inputs of {sizes}"
    return None


def _differs_from_terms(
    model: ExportedModel, mapped: Mapping[SSAValue, SSAValue], values: Mapping[str, int]
) -> str | None:
    """Return the first layer whose results differ from their extents as terms. `values` are those
    of named extents."""
    named = {_atom_of(named_extent(name)): value for name, value in values.items()}
    atoms = named | {
        atom: n // factor
        for arg in model.func.body.block.args
        for term, n in zip(model.of(arg) or (), static_shape_of(mapped[arg]) or (), strict=False)
        if not isinstance(term, int) and len(term.parts) == 1
        for (atom,), factor in term.parts.items()
        if atom not in named
    }
    for value, extents in model.terms.items():
        owner = value.owner
        if not isinstance(owner, LayerOp) or value not in mapped:
            continue
        shape = static_shape_of(mapped[value])
        expected = [evaluate(n, atoms) for n in extents]
        if shape is None or None in expected:
            continue
        if list(shape) != expected:
            wanted = "x".join(map(str, expected))
            return f"{owner.label()} gives {pattern_text(shape)} instead of {wanted}"
    return None


def _atom_of(term: ExtentTerm) -> Atom:
    (((atom,), _),) = term.parts.items()
    return atom


def _at(func: FuncOp, shapes: Mapping[int, Shape]) -> tuple[FuncOp, dict[SSAValue, SSAValue]]:
    """Return a copy of a function for inputs of these shapes, and the copied values by the original
    values."""
    copy = with_shapes(func, shapes)
    mapped: dict[SSAValue, SSAValue] = dict(
        zip(func.body.block.args, copy.body.block.args, strict=True)
    )
    for op, other in zip(func.body.block.ops, copy.body.block.ops, strict=True):
        mapped.update(zip(op.results, other.results, strict=True))
    return copy, mapped
