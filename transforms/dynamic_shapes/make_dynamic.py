"""The pass that makes the shapes of a model dynamic."""

from contextlib import suppress
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from ...analysis.input_shapes import advice
from ...analysis.shape_inference import drop_hints, infer, set_input_shapes
from ...dialects.ncnn.blob import static_shape_of
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.cropping import CropOp
from ...dialects.ncnn.custom import CustomOp
from ...dialects.ncnn.extents import positive_axis
from ...dialects.ncnn.function import input_name
from ...dialects.ncnn.joining import ConcatOp, SliceOp, TileOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.lookup import layers_of, model_of
from ...dialects.ncnn.pooling import Pool1D
from ...dialects.ncnn.resampling import InterpOp
from ...dialects.ncnn.reshaping import ReshapeOp
from ...dialects.ncnn.weight_specs import Shape, pattern_text
from ...dialects.shapes.terms import Extent, ExtentTerm, symbol
from ...dialects.xdsl_extras.spelling import nearest_or_all
from ..rewriting.observers import observing_alone
from ..rewriting.remarks import remark
from . import (
    ambiguous_constants,
    interp_and_tile,
    pooling_windows,
    position_constants,
    reshape_regrouping,
    slices_and_crops,
)
from .dynamic_axes import LIKE, DynamicAxis, parse_dynamic_axes, solve_names
from .export_matching import constant_difference, match, param_difference
from .exported_model import ExportedModel, named_extent
from .extent_expressions import Inexpressible
from .verification import (
    MULTIPLES,
    DynamicAxes,
    differs_from_exports,
    multiples_text,
    problems_at_other_sizes,
)

MAX_PROBLEMS = 5
"""The maximal number of problems in the error message."""


@dataclass(frozen=True)
class MakeDynamic(ModulePass):
    """Make a model that was exported with a fixed input size accept other sizes: replace constants
    that depend on input extents by expressions of these extents.

    `axes` are the dynamic axes, each as `INPUT:AXIS` (`in0:h`; a letter, or a number counted from
    the outermost axis), as `INPUT:N*AXIS` for multiples of an integer, or as `INPUT:AXIS=EXTENT`
    for a sum of named extents (`in0:h=n`, `in1:w=p+n`): a name is one extent wherever it stands.
    Other axes are independent of each other. The inputs' types specify the size of the export. If
    the module has a second function named `like`, it is an export at another size, and the
    differences show which constants depend on the size.

    The pass fails, with the layers and the reasons, if a constant cannot become dynamic.
    """

    name = "make-dynamic"
    axes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raises `ValueError` for an invalid axis."""
        parse_dynamic_axes(self.axes)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        func, other = model_of(op), _take_like(op)
        for each in (func, other):
            if each is not None:
                reshape_regrouping.drop_batches(each)
                infer(each)
        model = ExportedModel(func, other)
        axes = _axes_of_inputs(func, parse_dynamic_axes(self.axes))
        if other is not None:
            match(model, other)
            _check_fixed_axes(model, axes)
        copies = func.clone(), None if other is None else other.clone()
        _make_dynamic(model, axes)
        if model.problems:
            shown = model.problems[:MAX_PROBLEMS]
            if more := len(model.problems) - len(shown):
                shown.append(f"and {more} more")
            if model.multiples_may_fit:
                shown += _fitting_multiples(*copies, axes)
            raise PassFailedException("the shapes cannot be dynamic: " + "; ".join(shown))
        drop_hints(func)
        shapes: dict[str, Shape] = {}
        for i, places in axes.items():
            shape = static_shape_of(func.body.block.args[i]) or ()
            dynamic = (DYNAMIC_INDEX if place in places else n for place, n in enumerate(shape))
            shapes[input_name(func, i)] = tuple(dynamic)
        set_input_shapes(func, shapes)


def _make_dynamic(model: ExportedModel, axes: DynamicAxes) -> None:
    """Make the layers of a model dynamic, and verify the result. Raises `PassFailedException` if
    named extents contradict the exports."""
    _record_names(model, axes)
    _record_inputs(model, axes)
    Walk(model).visit_all()
    if not model.problems:
        model.problems += differs_from_exports(model)
    if not model.problems:
        ambiguous_constants.check(model)
        model.problems += problems_at_other_sizes(model, axes)


def _fitting_multiples(func: FuncOp, other: FuncOp | None, axes: DynamicAxes) -> list[str]:
    """Return the advice to use the smallest multiples for which the exports become dynamic, if
    any. The exports are as they were before the pass."""
    if any(axis.names for own in axes.values() for axis in own.values()):
        return []
    for times in MULTIPLES:
        with observing_alone(), suppress(PassFailedException):
            copy, same = func.clone(), None if other is None else other.clone()
            model = ExportedModel(copy, same)
            if same is not None:
                match(model, same)
            multiples: dict[int, dict[int, DynamicAxis]] = {}
            is_multiple = True
            for index, own in axes.items():
                shapes = model.shapes(copy.body.block.args[index]) or ()
                for place, axis in own.items():
                    least = axis.multiple * times
                    multiples.setdefault(index, {})[place] = axis._replace(multiple=least)
                    is_multiple &= all(shape[place] % least == 0 for shape in shapes)
            if not is_multiple:
                continue
            _make_dynamic(model, multiples)
            if not model.problems:
                other_sizes = "or give an export whose sizes are no such multiples"
                return [f"{multiples_text(axes, times)} ({other_sizes})"]
    return []


def _take_like(module: ModuleOp) -> FuncOp | None:
    """Return the function that is another export, after removing it from the module."""
    for func in module.ops:
        if isinstance(func, FuncOp) and func.sym_name.data == LIKE:
            func.detach()
            return func
    return None


def _axes_of_inputs(func: FuncOp, axes: list[DynamicAxis]) -> DynamicAxes:
    """Return the axes by input and place. Raises `PassFailedException` for an axis that the model
    lacks, or whose exported extent is unknown."""
    names = {input_name(func, i): i for i in range(len(func.body.block.args))}
    found: dict[int, dict[int, DynamicAxis]] = {}
    for axis in axes:
        if (index := names.get(axis.input)) is None:
            hint = nearest_or_all(axis.input, list(names), "inputs")
            raise PassFailedException(f"there is no input '{axis.input}'{hint}")
        shape = _exported_shape(func, index)
        try:
            place = axis.place(len(shape))
        except ValueError as e:
            raise PassFailedException(str(e)) from e
        if shape[place] % axis.multiple:
            raise PassFailedException(
                f"the model was exported for {shape[place]} along axis {axis.axis} of "
                f"'{axis.input}', which is no multiple of {axis.multiple}"
            )
        found.setdefault(index, {})[place] = axis
    for arg in func.body.block.args:
        _exported_shape(func, arg.index)
    return found


def _exported_shape(func: FuncOp, index: int) -> Shape:
    """Return the shape of an input. Raises `PassFailedException` if it is unknown."""
    shape = static_shape_of(func.body.block.args[index])
    if shape is None:
        raise PassFailedException(
            f"the shape of '{input_name(func, index)}' that the model was exported for is not "
            f"known; {advice(func, index, of_export=True)}"
        )
    return shape


def _check_fixed_axes(model: ExportedModel, axes: DynamicAxes) -> None:
    """Raise `PassFailedException` if inputs of the two exports differ in static axes or in rank."""
    for arg in model.func.body.block.args:
        shapes = model.shapes(arg) or ()
        own = axes.get(arg.index, {})
        fixed = {tuple(n for i, n in enumerate(shape) if i not in own) for shape in shapes}
        ranks = {len(shape) for shape in shapes}
        if len(fixed) > 1 or len(ranks) > 1:
            both = " and ".join(map(pattern_text, shapes))
            raise PassFailedException(
                f"input '{input_name(model.func, arg.index)}' is {both} in the exports, which "
                "differ in more than the axes that --dynamic names"
            )


def _record_names(model: ExportedModel, axes: DynamicAxes) -> None:
    """Record the values of named extents in the exports. Raises `PassFailedException` if they
    contradict."""
    args = model.func.body.block.args
    found: list[dict[str, int]] = []
    for which in range(2 if model.others else 1):
        given = [
            (axis, (model.shapes(args[index]) or [])[which][place])
            for index, own in axes.items()
            for place, axis in own.items()
        ]
        try:
            found.append(solve_names(given))
        except ValueError as e:
            raise PassFailedException(str(e)) from e
    for name in found[0]:
        model.record_symbol(named_extent(name), tuple(values[name] for values in found))


def _record_inputs(model: ExportedModel, axes: DynamicAxes) -> None:
    for arg in model.func.body.block.args:
        extents: list[Extent] = []
        for place, n in enumerate(static_shape_of(arg) or ()):
            axis = axes.get(arg.index, {}).get(place)
            if axis is None:
                extents.append(n)
            elif axis.names:
                extents.append(sum((f * named_extent(name) for name, f in axis.names), axis.more))
            else:
                extents.append(axis.multiple * symbol("size", arg, place))
        model.record(arg, tuple(extents))


class Walk:
    """A walk over the layers in program order."""

    def __init__(self, model: ExportedModel) -> None:
        self.model = model
        self.done: set[LayerOp] = set()
        self.undeclared: dict[SSAValue, CustomOp] = {}
        """The values whose shapes are unknown because of a custom layer."""

    def visit_all(self) -> None:
        """Visit all layers, then check the constants that remain."""
        ops = layers_of(self.model.func)
        for op in ops:
            self.visit(op)
        for op in ops:
            other = self.model.other_ops.get(op)
            if isinstance(op, ConstantOp) and isinstance(other, ConstantOp) and op.output.uses:
                if difference := constant_difference(op, other):
                    self.model.refuse(op, difference)

    def visit(self, op: LayerOp) -> None:
        """Make a layer dynamic, and record the extents of its results."""
        if op in self.done:
            return
        self.done.add(op)
        model = self.model
        label, before = op.label(), (dict(op.properties), list(op.operands))
        params, refused = {n: getattr(op, n) for n in type(op).PARAMS}, len(model.problems)
        try:
            self.change(op)
        except Inexpressible:
            model.refuse(op, "no expression computes its extents")
        if op.parent is None:  # it was replaced
            remark(MakeDynamic.name, label)
            return
        if before != (op.properties, list(op.operands)):
            remark(MakeDynamic.name, label)
        other = model.other_ops.get(op)
        if other is not None and len(model.problems) == refused:
            if difference := param_difference(op, other, params):
                model.refuse(op, difference)
        inferred = op.infer_shapes([model.of(v) for v in op.operands]) or ()
        for i, result in enumerate(op.results):
            model.record(result, inferred[i] if i < len(inferred) else None)
        if isinstance(op, ConcatOp):
            self.record_composition(op)
        self.record_undeclared(op)

    def change(self, op: LayerOp) -> None:
        """Make the parameters and constants of a layer dynamic."""
        model = self.model
        match op:
            case ReshapeOp():
                reshape_regrouping.make_reshape_dynamic(op, model)
            case InterpOp():
                self.visit_independent(op)
                interp_and_tile.make_interp_dynamic(op, model)
            case TileOp():
                self.visit_independent(op)
                interp_and_tile.replace_tile(op, model)
            case SliceOp():
                slices_and_crops.make_slice_dynamic(op, model)
            case CropOp():
                slices_and_crops.make_crop_dynamic(op, model)
            case Pool1D():
                pooling_windows.make_pooling_adaptive(op, model)
            case _ if interp_and_tile.combines_elements(op):
                position_constants.replace_constants(op, model)
            case _:
                pass

    def visit_independent(self, op: LayerOp) -> None:
        """Visit the following layers that do not depend on a layer's results: they may determine
        the extents of its results."""
        needs = set(op.results)
        later = op.next_op
        while later is not None:
            if isinstance(later, LayerOp):
                if any(v in needs for v in later.operands):
                    needs.update(later.results)
                elif not isinstance(later, InterpOp | TileOp) and later not in self.done:
                    self.visit(later)
                elif later not in self.done:
                    needs.update(later.results)
            later = later.next_op

    def record_undeclared(self, op: LayerOp) -> None:
        """Record the results whose shapes a custom layer hides. Refuse a layer that fixes extents
        of such a value, which may depend on the inputs' extents."""
        custom = next((self.undeclared[v] for v in op.operands if v in self.undeclared), None)
        if custom is not None and fixes_extents(op):
            type_ = custom.type.data
            self.model.refuse(
                op,
                f"the shape of {custom.label()} before it is not known; declare it with "
                f"--custom-shape {type_}=…",
            )
        if isinstance(op, CustomOp) and op.shape is None:
            extents = [self.model.of(value) for value in op.inputs]
            if any(
                each is None or any(isinstance(n, ExtentTerm) for n in each) for each in extents
            ):
                custom = op
        if custom is not None:
            unknown = [value for value in op.results if self.model.of(value) is None]
            self.undeclared |= dict.fromkeys(unknown, custom)

    def record_composition(self, op: ConcatOp) -> None:
        """Record the parts that Concat joined to an extent."""
        result = self.model.of(op.outputs[0])
        rank = len(result or ())
        axis = positive_axis(op.axis, rank)
        total = None if result is None or axis is None else result[axis]
        if axis is None or not isinstance(total, ExtentTerm):
            return
        layouts: list[tuple[Extent, ...]] = []
        for value in op.inputs:
            extents = self.model.of(value)
            if extents is None or len(extents) != rank:
                return
            own = extents[axis]
            known = self.model.compositions.get(own) if isinstance(own, ExtentTerm) else None
            layouts += known[-1] if known else [(own,)]
        self.model.compositions[total].append(tuple(layouts))


def fixes_extents(op: LayerOp) -> bool:
    """Whether parameters or constants of a layer give extents that may depend on the extents of the
    inputs: other ones than a single axis, as of channels."""
    match op:
        case ReshapeOp():
            return any(n > 0 for n in (op.w, op.h, op.d, op.c)) and not op.shape_expr
        case InterpOp():
            return op.output_width > 0 or op.output_height > 0
        case CropOp():
            return any(n > 0 for n in (op.outw, op.outh, op.outd, op.outc))
        case _ if interp_and_tile.combines_elements(op):
            shapes = (static_shape_of(v) for v in op.operands if isinstance(v.owner, ConstantOp))
            return any(shape and sum(n > 1 for n in shape) > 1 for shape in shapes)
        case _:
            return False
