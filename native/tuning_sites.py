"""Convolutions with their neighbors, as models of their own.

The time of a convolution depends on its neighbors: whether IREE fuses it with the producer of its
input, or copies the input first, and the order of elements that the next layer reads. So forms are
measured between the neighbors.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

from ..conversion.host_ops import copy_into
from ..conversion.to_linalg.forms import FORM_ATTRIBUTE, costs_of
from ..conversion.to_linalg.lowering import convolutions_in
from ..conversion.to_linalg.processors import VectorUnit
from ..conversion.tracing import nodes
from ..dialects.fused import FusedOp
from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.function import named, set_outputs
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.structure import InputOp
from ..dialects.shapes.terms import Extents
from ..targets.cache import digest
from ..targets.mlir.ir_printer import print_module
from ..targets.options import MlirOptions, WeightStyle
from . import ENTRY
from .lowering import Fused

MAX_RELATIVE_COST = 2.0
"""A form that costs more than this multiple of the least cost is no candidate."""


@dataclass(frozen=True)
class TuningSite:
    """A convolution with its neighbors, and the equal convolutions of the model."""

    key: str
    """Identifies the convolution with its neighbors and forms."""
    description: str
    """Its description for users."""
    forms: tuple[str, ...]
    """The forms that may be the fastest, lowest cost first."""
    places: tuple[int, ...]
    """The indices of its operations in the function."""
    products: int
    """The multiply-adds of all of them."""
    model: Fused
    own: int
    """The index of the convolution in the function of `model`."""


def tuning_sites(model: Fused, processor: VectorUnit) -> list[TuningSite]:
    """Return the convolutions of a model that can have several forms on a processor, most
    multiply-adds first. Convolutions with equal shapes, attributes and neighbors are one entry."""
    operations = list(model.func.body.block.ops)
    numbers = {op: i for i, op in enumerate(operations)}
    found: dict[str, TuningSite] = {}
    for op, node in convolutions_in(model.func).items():
        costs = costs_of(node, processor)
        forms = tuple(f for f in costs if costs[f] <= MAX_RELATIVE_COST * min(costs.values()))
        if len(forms) < 2:
            continue
        places: tuple[int, ...] = (numbers[op],)
        products: Any = nodes.count((*node.shape[1:], *node.weight.shape))
        part, own = _part(op, numbers)
        key = digest(_text(part), *forms)
        if (same := found.get(key)) is not None:
            places, products = (*same.places, *places), same.products + products
        found[key] = TuningSite(key, _words(node), forms, places, products, part, own)
    return sorted(found.values(), key=lambda site: -site.products)


def key_of(model: Fused, sites: Sequence[TuningSite]) -> str:
    """Return a key that identifies a model and its choices, independent of names and weights."""
    return digest(_text(model), *(site.key for site in sites))


def set_form(model: Fused, places: Sequence[int], form: str) -> None:
    """Set the form of the convolutions of a model at these indices."""
    operations = list(model.func.body.block.ops)
    for place in places:
        operations[place].attributes[FORM_ATTRIBUTE] = StringAttr(form)


def _words(node: nodes.Convolve) -> str:
    """Return a description: `64x56x56 -> 128x28x28, 3x3 stride 2`."""
    words = f"{_extents(node.x.shape)} -> {_extents(node.shape)}, "
    words += _extents(node.weight.shape[2:])
    for name, values in (("stride", node.strides), ("dilation", node.dilations)):
        if any(n != 1 for n in values):
            words += f" {name} {_extents(values if len(set(values)) > 1 else values[:1])}"
    return words + (f", {node.groups} groups" if node.groups > 1 else "")


def _extents(shape: Extents) -> str:
    return "x".join(map(str, shape))


def _part(op: Operation, numbers: dict[Operation, int]) -> tuple[Fused, int]:
    """Return a model of an operation, the producers of its operands and the users of its results,
    with the operation's index in it."""
    beside = {v.owner for v in op.operands} | {u.operation for v in op.results for u in v.uses}
    layers = {each for each in beside if isinstance(each, LayerOp | FusedOp)}
    chosen = {each for each in layers if not isinstance(each, ConstantOp | InputOp)}
    inside = sorted({op, *chosen}, key=lambda each: numbers[each])
    made = {v for each in inside for v in each.results}
    given: dict[SSAValue, str] = {}
    for value in (v for each in inside for v in each.operands):
        if value not in made and not isinstance(value.owner, ConstantOp):
            given.setdefault(value, f"in{len(given)}")
    func = FuncOp(ENTRY, ([], []), Region(Block([ReturnOp()])))
    copies = copy_into(func, inside, given)
    left = [
        v
        for each in inside
        for v in each.results
        if not v.uses or any(u.operation not in inside for u in v.uses)
    ]
    names = [f"out{i}" for i in range(len(left))]
    set_outputs(func, [(copies[v], named(n)) for v, n in zip(left, names, strict=True)])
    own = list(func.body.block.ops).index(copies[op.results[0]].owner)  # pyright: ignore
    part = Fused(ModuleOp([func]), tuple(given.values()), tuple(names), tuple(names))
    return part, own


_NAMES = ("name", "blob", "blobs")
"""Properties that contain names."""


def _text(model: Fused) -> str:
    """Return the text of a model without names and values."""
    module = model.module.clone()
    for op in module.walk():
        for name in _NAMES:
            op.properties.pop(name, None)
        op.attributes.pop(FORM_ATTRIBUTE, None)
        for value in (*op.results, *(a for r in op.regions for b in r.blocks for a in b.args)):
            value.name_hint = None
        if isinstance(op, FuncOp):
            op.arg_attrs = op.res_attrs = None
    return print_module(module, MlirOptions(WeightStyle.ELIDE, generic=True))
