"""Proofs of rewrites that change what an application carries from one call of a model to the next.

The proof is an induction over the calls. A pass states how the old state follows from the new one
(`analysis/state_relations.py`). Both models then get the new state: the model before computes its
own state from it, and the relation is applied to the state that the model after returns (`relate`).
If these two models have equal outputs for all inputs, one call keeps the relation and returns equal
outputs. The state of the first call is empty on both sides: outputs are compared for it, too. So
the outputs of all calls are equal, for an application that passes the state on and neither reads
nor changes it.

A state without a relation is the same on both sides.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ..analysis.shape_inference import infer
from ..analysis.state_relations import STEPS, Relations, StateRelation
from ..analysis.states import State, states_of
from ..dialects.ncnn.attention import Attention
from ..dialects.ncnn.blob import BlobType, blob, blob_like, shape_of
from ..dialects.ncnn.function import inputs_of, output_names, update_type
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.reshaping import FlipOp
from ..dialects.ncnn.structure import InputOp, NoopOp, SplitOp
from ..dialects.ncnn.weight_specs import Shape
from .array import NotExact

STEP_COUNTS = (5, 7)
"""The numbers of steps for which a relation is checked to keep them."""

Place: TypeAlias = tuple[int, int]
"""An argument and an axis of it, counted from the outermost."""


def relations_of(pass_: object, before: FuncOp, after: FuncOp) -> Relations:
    """Return the relations that a pass states; none if it states nothing."""
    state = getattr(pass_, "state_relations", None)
    return {} if state is None else state(before, after)


def relate(before: FuncOp, after: FuncOp, relations: Relations) -> None:
    """Let both models take the state after a rewrite and return the state before it, in place.

    Raises `NotExact` if a related input is no state of both models that starts empty, or if the
    state before a rewrite has another number of steps than the state after it: then the first call
    would not have an empty state on both sides.
    """
    if not relations:
        return
    ours, theirs = (
        {each.input: each for each in states_of(func) if each.starts_empty}
        for func in (before, after)
    )
    for name, relation in relations.items():
        if ours.get(name) is None or ours[name].output != getattr(theirs.get(name), "output", None):
            raise NotExact(f"'{name}' is no state that both models return and that starts empty")
        type_ = _type_of(after, theirs[name])
        if not _keeps_steps(relation, shape_of(type_) or ()):
            raise NotExact(f"'{name}': an empty state does not follow from an empty state")
        _take(before, inputs_of(before)[name], type_, relation)
        end, value, index = _output(after, theirs[name])
        end.operands[index] = _layers(relation, value, end)
    infer(before, {arg: shape for arg in before.body.block.args if (shape := shape_of(arg))})
    update_type(before)
    update_type(after)


def _type_of(func: FuncOp, state: State) -> BlobType:
    """Return the type of a state: of the output, with a dynamic number of steps."""
    value = _output(func, state)[1]
    shape = shape_of(value)
    if shape is None or len(shape) < -STEPS:
        raise NotExact(f"the shape of the state '{state.output}' is not known")
    return blob_like(value, (*shape[:STEPS], DYNAMIC_INDEX, *shape[STEPS + 1 :]))


def _keeps_steps(relation: StateRelation, shape: Shape) -> bool:
    """Whether a state has as many steps as the state of this shape that it follows from."""
    for steps in STEP_COUNTS:
        block = Block(arg_types=[blob((*shape[:STEPS], steps, *shape[STEPS + 1 :]))])
        end = ReturnOp()
        block.add_op(end)
        old = shape_of(_layers(relation, block.args[0], end))
        if old is None or len(old) < -STEPS or old[STEPS] != steps:
            return False
    return True


def _output(func: FuncOp, state: State) -> tuple[ReturnOp, SSAValue, int]:
    end = func.body.block.last_op
    assert isinstance(end, ReturnOp)
    index = output_names(func).index(state.output)
    return end, end.operands[index], index


def _take(func: FuncOp, arg: BlockArgument, type_: BlobType, relation: StateRelation) -> None:
    """Replace an input by the state that it follows from."""
    first = func.body.block.first_op
    assert first is not None
    new = Rewriter.replace_value_with_new_type(arg, type_)
    users = list(new.uses)
    old = _layers(relation, new, first)
    for use in users:
        use.operation.operands[use.index] = old


def _layers(relation: StateRelation, state: SSAValue, before: Operation) -> SSAValue:
    try:
        return relation.layers(state, lambda layer: _inserted(layer, before))
    except ValueError as e:
        raise NotExact(str(e)) from e


def _inserted(layer: LayerOp, before: Operation) -> Sequence[SSAValue]:
    Rewriter.insert_op(layer, InsertPoint.before(before))
    for result, type_ in zip(layer.results, layer.infer_types() or (), strict=False):
        Rewriter.replace_value_with_new_type(result, type_)
    return layer.results


# -- the extents of one call


@dataclass(frozen=True)
class CallAxes:
    """The dynamic axes of the inputs of a model, or of a part of it, with caches."""

    declared: Sequence[Shape]
    """The shapes of the inputs."""
    past: Sequence[Place]
    """The steps of the calls before."""
    new: Sequence[Place]
    """The steps of this call."""
    every: Sequence[Place]
    """The steps of both: the columns of a mask."""

    def shapes(self, new: int, past: int) -> list[Shape]:
        """Return the shapes of the inputs of a call with `new` steps behind `past` ones."""
        shapes = [list(shape) for shape in self.declared]
        for places, n in ((self.past, past), (self.new, new), (self.every, new + past)):
            for i, axis in places:
                shapes[i][axis] = n
        return [tuple(shape) for shape in shapes]


def caches_of(func: FuncOp) -> set[int]:
    """Return the indices of the inputs that are caches of steps."""
    args = inputs_of(func)
    return {
        args[each.input].index for each in states_of(func) if each.kind in ("cache", "appended")
    }


def call_axes(
    inputs: Sequence[SSAValue], ops: Iterable[Operation], caches: Set[SSAValue]
) -> CallAxes | None:
    """Return the dynamic axes of inputs, as the steps that they are in a decoder; `None` without a
    cache, or for another input of unknown rank than a mask. `ops` are the operations that read the
    inputs."""
    masks = set(_masks(ops, {*inputs}))
    declared: list[Shape] = []
    past: list[Place] = []
    new: list[Place] = []
    every: list[Place] = []
    for i, value in enumerate(inputs):
        shape = shape_of(value)
        if shape is None and value in masks:
            shape = (DYNAMIC_INDEX, DYNAMIC_INDEX)
        if shape is None:
            return None
        declared.append(shape)
        for axis in [axis for axis, n in enumerate(shape) if n == DYNAMIC_INDEX]:
            if value in caches and axis == len(shape) + STEPS:
                past.append((i, axis))
            elif value in masks and axis == len(shape) - 1:
                every.append((i, axis))
            else:
                new.append((i, axis))
    return CallAxes(declared, past, new, every) if past else None


def words(relations: Relations) -> tuple[str, ...]:
    """Return the relations in words."""
    return tuple(f"{name}: {relation}" for name, relation in relations.items())


def axes_of_call(func: FuncOp, caches: Set[int]) -> CallAxes | None:
    """Return the dynamic axes of the inputs of a model; `caches` are `caches_of` it."""
    args = func.body.block.args
    return call_axes(args, func.body.block.ops, {args[i] for i in caches})


def _masks(ops: Iterable[Operation], inputs: Set[SSAValue]) -> Iterator[SSAValue]:
    """Yield the inputs that attention layers read as masks."""
    for op in ops:
        if isinstance(op, Attention) and op.attn_mask:
            value = op.inputs[len(op.sequences(op.inputs))]
            while value not in inputs and isinstance(value, OpResult):
                owner = value.op
                if isinstance(owner, SplitOp | FlipOp):
                    value = owner.operands[0]
                elif isinstance(owner, InputOp | NoopOp):
                    value = owner.operands[value.index]
                else:
                    break
            yield value
