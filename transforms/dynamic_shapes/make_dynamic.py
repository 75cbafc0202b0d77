"""The pass that makes a model of one size one of any size."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from ...analysis.input_shapes import advice
from ...analysis.shape_inference import drop_hints, infer, set_input_shapes
from ...dialects.ncnn.blob import static_shape_of
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.cropping import CropOp
from ...dialects.ncnn.function import input_name
from ...dialects.ncnn.joining import ConcatOp, SliceOp, TileOp
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.lookup import model_of
from ...dialects.ncnn.pooling import Pool1D
from ...dialects.ncnn.resampling import InterpOp
from ...dialects.ncnn.reshaping import ReshapeOp
from ...dialects.ncnn.slots import Shape, pattern_text
from ...dialects.shapes.terms import Extent, Term, symbol
from ...dialects.xdsl_extras.spelling import nearest
from ..rewriting.remarks import remark
from . import coincidences, cuts, grids, reshapes, resizing, windows
from .axes import LIKE, FreeAxis, free_axes
from .builder import NotSaid
from .checking import Free, differs_from_exports, left_at_other_sizes
from .like import constants_differ, differences, match
from .model import SizedModel

MOST_TOLD = 5


@dataclass(frozen=True)
class MakeDynamic(ModulePass):
    """Make a model that was exported with a fixed input size accept other sizes: replace constants
    that depend on input extents by expressions of these extents.

    `axes` are the extents that are to be any, each as `INPUT:AXIS` (`in0:h`, a letter or a place
    from the outermost), or `INPUT:N*AXIS` where it is a multiple of a number. The inputs' types say
    the size of the export. A second function in the module, `like`, is an export at another size:
    then the differences decide.

    Fails, with the layers and the reasons, if something cannot be relative.
    """

    name = "make-dynamic"
    axes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raises `ValueError` for what is no axis."""
        free_axes(self.axes)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        func, other = model_of(op), _take_like(op)
        for each in (func, other):
            if each is not None:
                reshapes.drop_batches(each)
                infer(each)
        model = SizedModel(func, other)
        free = _free(func, free_axes(self.axes))
        if other is not None:
            match(model, other)
            _check_fixed_axes(model, free)
        _settle_inputs(model, free)
        Walk(model).run()
        if not model.problems:
            model.problems += differs_from_exports(model)
        if not model.problems:
            coincidences.check(model)
            model.problems += left_at_other_sizes(model, free)
        if model.problems:
            told = model.problems[:MOST_TOLD]
            if more := len(model.problems) - len(told):
                told.append(f"and {more} more")
            raise PassFailedException("not of any size: " + "; ".join(told))
        drop_hints(func)
        shapes: dict[str, Shape] = {}
        for i, axes in free.items():
            shape = static_shape_of(func.body.block.args[i]) or ()
            unknown = (DYNAMIC_INDEX if place in axes else n for place, n in enumerate(shape))
            shapes[input_name(func, i)] = tuple(unknown)
        set_input_shapes(func, shapes)


def _take_like(module: ModuleOp) -> FuncOp | None:
    """The function that is another export, taken out of the module."""
    for func in module.ops:
        if isinstance(func, FuncOp) and func.sym_name.data == LIKE:
            func.detach()
            return func
    return None


def _free(func: FuncOp, axes: list[FreeAxis]) -> Free:
    """The axes by input and place. Raises `PassFailedException` for those that the model does not
    have, or whose extent at the export is not known."""
    names = {input_name(func, i): i for i in range(len(func.body.block.args))}
    found: dict[int, dict[int, FreeAxis]] = {}
    for axis in axes:
        if (index := names.get(axis.input)) is None:
            raise PassFailedException(
                f"there is no input '{axis.input}'{nearest(axis.input, list(names))}"
            )
        shape = static_shape_of(func.body.block.args[index])
        if shape is None:
            raise PassFailedException(
                f"the shape of '{axis.input}' that the model was exported for is not known; "
                + advice(func, index)
            )
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
        if static_shape_of(arg) is None:
            raise PassFailedException(
                f"the shape of '{input_name(func, arg.index)}' that the model was exported for is "
                f"not known; {advice(func, arg.index)}"
            )
    return found


def _check_fixed_axes(model: SizedModel, free: Free) -> None:
    """Raise `PassFailedException` if inputs of the two exports differ in other axes than those that
    follow the size, or if the other export does not have the axes."""
    for arg in model.func.body.block.args:
        shapes = model.numbers(arg) or ()
        axes = free.get(arg.index, {})
        fixed = {tuple(n for i, n in enumerate(shape) if i not in axes) for shape in shapes}
        ranks = {len(shape) for shape in shapes}
        if len(fixed) > 1 or len(ranks) > 1:
            both = " and ".join(map(pattern_text, shapes))
            raise PassFailedException(
                f"input '{input_name(model.func, arg.index)}' is {both} in the exports, which "
                "differ in more than the axes that --dynamic names"
            )


def _settle_inputs(model: SizedModel, free: Free) -> None:
    for arg in model.func.body.block.args:
        extents: list[Extent] = []
        for place, n in enumerate(static_shape_of(arg) or ()):
            axis = free.get(arg.index, {}).get(place)
            extents.append(n if axis is None else axis.multiple * symbol("size", arg, place))
        model.settle(arg, tuple(extents))


class Walk:
    """Visits the layers in order."""

    def __init__(self, model: SizedModel) -> None:
        self.model = model
        self.done: set[LayerOp] = set()

    def run(self) -> None:
        ops = [op for op in self.model.func.body.block.ops if isinstance(op, LayerOp)]
        for op in ops:
            self.visit(op)
        for op in ops:
            twin = self.model.other_ops.get(op)
            if isinstance(op, ConstantOp) and isinstance(twin, ConstantOp) and op.output.uses:
                if differing := constants_differ(op, twin):
                    self.model.refuse(op, differing)

    def visit(self, op: LayerOp) -> None:
        """Makes a layer relative, and finds what its results are."""
        if op in self.done:
            return
        self.done.add(op)
        model = self.model
        label, before = op.label(), (dict(op.properties), list(op.operands))
        params, refused = {n: getattr(op, n) for n in type(op).PARAMS}, len(model.problems)
        try:
            self.change(op)
        except NotSaid:
            model.refuse(op, "no expression says its extents")
        if op.parent is None:  # another layer is in its place
            remark(MakeDynamic.name, label)
            return
        if before != (op.properties, list(op.operands)):
            remark(MakeDynamic.name, label)
        twin = model.other_ops.get(op)
        if twin is not None and len(model.problems) == refused:
            if differing := differences(op, twin, params):
                model.refuse(op, differing)
        follows = model.follows(op) or ()
        for i, result in enumerate(op.results):
            model.settle(result, follows[i] if i < len(follows) else None)
        if isinstance(op, ConcatOp):
            self.join(op)

    def change(self, op: LayerOp) -> None:
        model = self.model
        match op:
            case ReshapeOp():
                reshapes.make_relative(op, model)
            case InterpOp():
                self.look_ahead(op)
                resizing.make_relative(op, model)
            case TileOp():
                self.look_ahead(op)
                resizing.untile(op, model)
            case SliceOp():
                cuts.cut_parts(op, model)
            case CropOp():
                cuts.cut_box(op, model)
            case Pool1D():
                windows.make_relative(op, model)
            case _ if grids.combines(op):
                grids.make_relative(op, model)
            case _:
                pass

    def look_ahead(self, op: LayerOp) -> None:
        """Visits what follows and does not need a layer's results: with what they are combined."""
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

    def join(self, op: ConcatOp) -> None:
        """Notes of what parts an extent consists."""
        result = self.model.of(op.outputs[0])
        rank = len(result or ())
        if result is None or not -rank <= op.axis < rank:
            return
        axis = op.axis % rank
        total = result[axis]
        if not isinstance(total, Term):
            return
        layouts: list[tuple[Extent, ...]] = []
        for value in op.inputs:
            extents = self.model.of(value)
            if extents is None or len(extents) != rank:
                return
            own = extents[axis]
            known = self.model.parts.get(own) if isinstance(own, Term) else None
            layouts += known[-1] if known else [(own,)]
        self.model.parts[total].append(tuple(layouts))
