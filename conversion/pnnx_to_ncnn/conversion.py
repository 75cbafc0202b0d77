"""The conversion of a PNNX graph to a function of layers.

The operators are lowered one by one, in the order of the file. A value of the function is a tensor
of PyTorch until all operators are lowered; casts between tensors and blobs then become Reshapes, or
vanish. Each layer's shape, inferred from its inputs, must be the shape that PNNX states.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr, UnitAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
)
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import PassFailedException

from ...dialects.ncnn.blob import blob, extents_in
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.function import named
from ...dialects.ncnn.layer import LayerOp
from ...dialects.pnnx.attributes import AnyType
from ...dialects.pnnx.batch_axes import blobs_in_batch, stated_blob
from ...dialects.pnnx.cast import CastOp
from ...dialects.pnnx.operations import GraphOp, OperatorOp, encode
from ...dialects.pnnx.tensors import shape_in_torch, tensor
from ...dialects.shapes.analysis import PROMISED
from ...dialects.shapes.terms import provably_equal
from ...transforms.canonicalization.affine_through_reshapes import FuseAffineThrough
from ...transforms.canonicalization.constant_folding import FoldConstants
from ...transforms.canonicalization.gemm_to_convolution import ReplaceGemm
from ...transforms.pnnx_legalization.casts import LegalizeCast
from ...transforms.rewriting.layer_builder import Shape
from .folding import integers_in, made, places_in
from .integers import LOOKUPS, MOVES, as_numbers, holds_integers, limit_of
from .lowering import INTEGERS, OperatorBuilder, Refusal, element_of, natural, shown
from .places import place_of
from .recurrent import LAYERS as RECURRENT
from .table import LOWERINGS

Weight = Callable[[OperatorOp, str], NDArray[Any]]
"""The values of a weight of an operator, by key."""


class Unconverted(PassFailedException):
    """An operator that no layers compute. The message names it and the reason."""


def convert_graph(graph: GraphOp, weight: Weight, inputs: Sequence[Shape | None] = ()) -> ModuleOp:
    """Return the model of a PNNX graph.

    `inputs` are the shapes of the input blobs. By default, and for `None`, a blob has the form that
    the converter states; without a statement it is the tensor without a leading axis of extent 1.
    Inputs are named `in0`, `in1`, …, outputs `out0`, ….

    Raises `Unconverted` at the first operator that no layers compute.
    """
    return _Conversion(graph, weight, inputs).convert()


class _Conversion:
    """The state of one conversion."""

    def __init__(self, graph: GraphOp, weight: Weight, inputs: Sequence[Shape | None]) -> None:
        self.graph = graph
        self.weight = weight
        self.shapes = inputs
        self.block = Block()
        self.values: dict[SSAValue, SSAValue] = {}
        """The value of the function for each tensor of the graph."""
        self.constants: dict[SSAValue, NDArray[Any]] = {}
        """The values of constant tensors, by value of the function."""
        self.tuples: dict[SSAValue, list[SSAValue]] = {}
        """The tensors of the graph in each tuple of the graph."""
        self.parameters: dict[SSAValue, int | tuple[int, ...]] = {}
        """The integers in each value of the graph that is a list of integers, or one."""
        self.results: list[SSAValue] = []
        self.integers: set[SSAValue] = set()
        """The arguments whose blobs hold integers."""
        self.numbers: dict[SSAValue, SSAValue] = {}
        """The floats for a value whose blob holds integers."""

    def convert(self) -> ModuleOp:
        for op in self.graph.operators():
            match op.type.data:
                case "pnnx.Input":
                    for value in op.outputs:
                        self.add_input(value)
                case "pnnx.Output":
                    for value in op.inputs:
                        self.results += self.parts_of(value)
                case "prim::TupleConstruct" | "prim::ListConstruct":
                    self.tuples[op.outputs[0]] = [v for x in op.inputs for v in self.parts_of(x)]
                case _:
                    self.add_operator(op)
        return self.finish()

    def parts_of(self, value: SSAValue) -> list[SSAValue]:
        return self.tuples.get(value, [value])

    def add_input(self, value: SSAValue) -> None:
        """Add an argument, and a cast from its blob to the tensor."""
        shape = shape_in_torch(value.type)
        index = len(self.block.args)
        if shape is None:
            raise Unconverted(f"input {index} has extents that are not known")
        given = self.shapes[index] if index < len(self.shapes) else None
        given = given or self.stated(f"in{index}", shape) or natural(shape)
        arg = self.block.insert_arg(blob(given), index)
        arg.name_hint = f"in{index}"
        cast = CastOp(arg, value.type)
        self.block.add_op(cast)
        self.values[value] = cast.output
        if element_of(value) in INTEGERS:
            self.integers.add(arg)

    def stated(self, name: str, tensor: Shape) -> Shape | None:
        """Return the shape of the blob that the converter states; `None` for a batch of several
        blobs, which becomes one blob. Beside the converter's model, whose interface stays, this
        raises `Unconverted`."""
        count = blobs_in_batch(self.graph, name, tensor)
        if count > 1 and self.shapes:
            raise Unconverted(f"'{name}' is a batch of {count} blobs")
        return stated_blob(self.graph, name, tensor)

    def add_operator(self, op: OperatorOp) -> None:
        """Lower one operator at the end of the block."""
        if op.type.data == "pnnx.Attribute":
            key = next(iter(op.weight_types()), None)
            if key is None:
                raise Unconverted(f"{op.label()} has no values")
            self.add_constant(op.outputs[0], self.weight(op, key))
            return
        if op.type.data == "pnnx.Expression" and not op.inputs:
            self.add_number(op)
            return
        if op.type.data == "pnnx.Expression" and (places := places_in(op)):
            self.tuples[op.outputs[0]] = [v for i in places for v in self.parts_of(op.inputs[i])]
            return
        if not any(result.uses for result in op.outputs) or all(map(is_empty, op.outputs)):
            return
        known = [
            self.constants.get(self.values[v]) if v in self.values else None for v in op.inputs
        ]
        if op.inputs and (integers := integers_in(op, known)) is not None:
            self.parameters[op.outputs[0]] = integers
            return
        op = self.with_parameters(op)
        inputs = self.operands_of(op)
        known = [self.constants.get(self.values[v]) for v in inputs if v in self.values]
        if len(known) == len(inputs) and (values := made(op, known)) is not None:
            self.add_constant(op.outputs[0], values)
            return
        if any(operand not in self.values for operand in inputs):
            raise unconverted(op, "it reads a list")
        dropped = {"blobs"} if len(inputs) == len(op.inputs) else {"blobs", "keys"}
        copy = OperatorOp.create(
            operands=[self.values[v] for v in inputs],
            result_types=[v.type for v in op.outputs],
            properties={k: v for k, v in op.properties.items() if k not in dropped},
        )
        self.block.add_op(copy)
        lowering = LOWERINGS.get(op.type.data)
        try:
            if lowering is None:
                raise Refusal("the conversion does not know it; cut the model there")
            rewriter = PatternRewriter(copy)
            builder = OperatorBuilder(
                copy, rewriter, lambda key: self.weight(op, key), self.constants, self.integers
            )
            first = copy.prev_op
            self.take_numbers(copy, inputs, builder)
            found = lowering(copy, builder)
            results = [builder.cast(v, r.type) for v, r in zip(found, copy.outputs, strict=True)]
            self.name_last(op, first, copy)
        except Refusal as e:
            raise unconverted(op, str(e)) from e
        for old, value in zip(op.outputs, results, strict=True):
            self.values[old] = value
        Rewriter.erase_op(copy)

    def with_parameters(self, op: OperatorOp) -> OperatorOp:
        """Return an operator with parameters in place of the operands that are known integers."""
        keys = [] if op.keys is None else [key.data for key in op.keys]
        pairs = list(zip(keys, op.inputs, strict=False))
        found = {key: self.parameters[v] for key, v in pairs if key and v in self.parameters}
        if not found:
            return op
        kept = [(key, v) for key, v in pairs if key not in found]
        params = {**op.param_attributes(), **{key: encode(n) for key, n in found.items()}}
        new = OperatorOp.create(
            operands=[v for _, v in kept],
            result_types=[v.type for v in op.outputs],
            properties={
                **op.properties,
                "keys": ArrayAttr([StringAttr(key) for key, _ in kept]),
                "params": DictionaryAttr(params),
            },
        )
        Rewriter.replace_op(op, new)
        return new

    def take_numbers(
        self, copy: OperatorOp, inputs: Sequence[SSAValue], builder: OperatorBuilder
    ) -> None:
        """Replace operands that hold integers by floats, unless the operator takes integers."""
        hold = [holds_integers(operand, self.integers) for operand in copy.inputs]
        type_ = copy.type.data
        if type_ in LOOKUPS or not any(hold) or (type_ in MOVES and all(hold)):
            return
        for i, (value, operand) in enumerate(zip(inputs, copy.inputs, strict=True)):
            if not hold[i]:
                continue
            if operand not in self.numbers:
                made = as_numbers(builder, operand, limit_of(value))
                self.numbers[operand] = builder.cast(made, operand.type)
            copy.operands[i] = self.numbers[operand]

    def name_last(self, op: OperatorOp, first: Any, end: OperatorOp) -> None:
        """Name the last new layer after its operator."""
        place = end.prev_op
        while place is not None and place is not first:
            if isinstance(place, LayerOp) and not isinstance(place, ConstantOp):
                place.properties["name"] = StringAttr(op.layer.data)
                return
            place = place.prev_op

    def add_constant(self, value: SSAValue, values: NDArray[Any]) -> None:
        """Add a constant tensor. Layers read it as a blob of floats."""
        shape = values.shape
        new = ConstantOp.holding(np.ascontiguousarray(values).astype("<f4").reshape(natural(shape)))
        # The file may state no type of a constant.
        type_ = tensor(shape, "f32") if isinstance(value.type, AnyType) else value.type
        cast = CastOp(new.output, type_)
        self.block.add_ops([new, cast])
        self.values[value] = cast.output
        self.constants[cast.output] = values

    def add_number(self, op: OperatorOp) -> None:
        """Add the number of an expression without operands: 1 for `True`. The operators that read
        other words, as `None` and `False`, know them by their place."""
        try:
            number = np.float32({"True": "1"}.get(text := str(op.param("expr", "")), text))
        except ValueError:
            number = np.float32(0)
        self.add_constant(op.outputs[0], np.full((1,), number))

    def operands_of(self, op: OperatorOp) -> list[SSAValue]:
        """Return the operands without weights: those of a module that a model uses twice come
        first, beside the module's own."""
        inputs, types = list(op.inputs), list(op.weight_types().values())
        count = len(types)
        if op.type.data == "Tensor.index_put":
            parts = [self.parts_of(v) for v in inputs]
            return [
                found[0] if len(found) == 1 else v for v, found in zip(inputs, parts, strict=True)
            ]
        if op.type.data == "torch.cat":
            return [v for v in inputs if not is_empty(v)]
        if op.type.data in RECURRENT:  # the states may be a list
            inputs = [part for v in inputs for part in self.parts_of(v)]
        if not op.type.data.startswith("nn.") or not count or len(inputs) <= count:
            return inputs
        first = [v.owner for v in inputs[:count]]
        own = [
            next(iter(o.weight_types().values()), None)
            for o in first
            if isinstance(o, OperatorOp) and o.type.data == "pnnx.Attribute"
        ]
        return inputs[count:] if sorted(map(str, own)) == sorted(map(str, types)) else inputs

    # -- the end

    def finish(self) -> ModuleOp:
        outputs: list[SSAValue] = []
        for value in self.results:
            shape = shape_in_torch(value.type)
            if shape is None or value not in self.values:
                raise Unconverted(f"output {len(outputs)} has a shape that is not known")
            given = stated_blob(self.graph, f"out{len(outputs)}", shape) or natural(shape)
            cast = CastOp(self.values[value], blob(given))
            self.block.add_op(cast)
            outputs.append(cast.output)
        self.block.add_op(ReturnOp(*outputs))
        names = [named(f"in{i}") for i in range(len(self.block.args))]
        func = FuncOp(
            "main",
            ([arg.type for arg in self.block.args], [v.type for v in outputs]),
            Region(self.block),
            arg_attrs=ArrayAttr(names),
            res_attrs=ArrayAttr([named(f"out{i}") for i in range(len(outputs))]),
        )
        module = ModuleOp([func])
        self.sweep(func)
        PatternRewriteWalker(LegalizeCast()).rewrite_module(module)
        self.sweep(func)
        # The Reshapes hold for the stated sizes only: with these, Gemms are provably Convolutions.
        # A scale of the channels, a reshaped constant, may stand between a Gemm and its Permute.
        promised = [DictionaryAttr({**name.data, PROMISED: UnitAttr()}) for name in names]
        func.arg_attrs = ArrayAttr(promised)
        on_pixels = GreedyRewritePatternApplier(
            [FoldConstants(), FuseAffineThrough(), ReplaceGemm()]
        )
        PatternRewriteWalker(on_pixels).rewrite_module(module)
        func.arg_attrs = ArrayAttr(names)
        self.sweep(func)
        check_shapes(func)
        return module

    def sweep(self, func: FuncOp) -> None:
        """Remove casts and layers that nothing reads."""
        for op in reversed(list(func.body.block.ops)):
            if isinstance(op, CastOp | LayerOp) and not any(r.uses for r in op.results):
                Rewriter.erase_op(op)


def is_empty(value: SSAValue) -> bool:
    """Whether a tensor has no elements."""
    return 0 in (shape_in_torch(value.type) or ())


def unconverted(op: OperatorOp, reason: str) -> Unconverted:
    """Return the error for an operator of the graph that no layers compute."""
    place = place_of(op)
    return Unconverted(
        f"{op.label()}{place and f' ({place})'} has no form in ncnn's layers: {reason}"
    )


def check_shapes(func: FuncOp) -> None:
    """Raise `Unconverted` if a layer's shape, inferred from its inputs, contradicts the stated
    one."""
    for op in func.body.block.ops:
        if isinstance(op, CastOp):
            raise Unconverted(f"a cast to {op.output.type} is left")
        if not isinstance(op, LayerOp) or isinstance(op, ConstantOp):
            continue
        inferred = op.infer_types()
        if inferred is None:
            raise Unconverted(f"{op.label()} does not take its inputs' shapes")
        for result, type_ in zip(op.results, inferred, strict=True):
            found, stated = extents_in(type_), extents_in(result.type)
            if not provably_equal(found, stated):
                raise Unconverted(
                    f"{op.label()} computes {_shown(type_)}, and PNNX states {_shown(result.type)}"
                )


def _shown(type_: Attribute) -> str:
    shape = shape_in_torch(type_)
    return str(type_) if shape is None else shown(shape)
