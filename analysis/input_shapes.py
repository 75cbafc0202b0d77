"""Contradictions between the shapes of a model's inputs and its weights, and shapes that fit."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import inf, prod

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, SSAValue, Use

from ..dialects.ncnn.blob import extents_in, shape_of, static_shape_of
from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.elementwise import BinaryOpOp
from ..dialects.ncnn.function import input_name
from ..dialects.ncnn.joining import SliceOp
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.weight_specs import Pattern, Shape, pattern_text
from ..dialects.shapes.windows import HasWindow
from .shape_inference import with_shapes

USUAL_EXTENTS = (224, 64, 32, 640, 256, 128, 416, 320, 512, 16, 96, 192, 384, 112, 160, 48, 300)
"""The candidates for dynamic extents."""

RARE_EXTENTS = (
    *(12, 24, 28, 40, 56, 80, 100, 120, 144, 176, 227),
    *(240, 288, 299, 331, 368, 448, 608, 768),
)
"""The candidates if the model does not run with a usual extent."""


@dataclass(frozen=True)
class Contradiction:
    """Blobs that contradict a layer's weights or parameters, or one another."""

    op: LayerOp
    wanted: str
    """The layer's contract, for example `takes 3,?,? by its weights`."""
    shapes: Sequence[Shape]

    def __str__(self) -> str:
        given = " and ".join(map(pattern_text, self.shapes[:3]))
        return f"{self.op.label()} {self.wanted}, and gets {given}"


def contradictions(func: FuncOp) -> Iterator[Contradiction]:
    """Yield the layers whose operand types provably contradict the layer."""
    for op in func.body.block.ops:
        if isinstance(op, LayerOp) and (blobs := op.data_operands()):
            wanted = op.contract_violation([extents_in(value.type) for value in blobs])
            if wanted is not None:
                yield Contradiction(op, wanted, [shape_of(value) or () for value in blobs])


@dataclass(frozen=True)
class Misfit:
    """A window that is larger than the blob, with its borders, that a layer reads."""

    op: LayerOp
    shape: Shape

    def __str__(self) -> str:
        return f"the window of {self.op.label()} does not fit into {pattern_text(self.shape)}"


def misfits(func: FuncOp) -> Iterator[Misfit]:
    """Yield the layers whose window provably does not fit into the blob. (The runtime then fails,
    or computes from memory that is not the blob's.)"""
    for op in func.body.block.ops:
        if isinstance(op, LayerOp) and isinstance(op, HasWindow):
            shapes = [static_shape_of(value) for value in op.data_operands()]
            known = [shape for shape in shapes if shape is not None]
            if len(known) == len(shapes) and any(static_shape_of(r) is None for r in op.results):
                yield Misfit(op, known[0])


def shape_faults(func: FuncOp) -> Iterator[Contradiction | Misfit]:
    """Yield the layers that the shapes of their operands contradict, or that these are too small
    for."""
    yield from contradictions(func)
    yield from misfits(func)


def expected_input_shape(value: SSAValue) -> tuple[LayerOp, Pattern] | None:
    """Return the first layer with weights that reads a value, perhaps through layers that keep its
    shape or combine it with constants, and the shape that it takes; `None` without one."""
    for use in _first_uses(value):
        op = use.operation
        if isinstance(op, LayerOp) and (patterns := op.expected_input_shapes()):
            # A layer that only scales channels takes several ranks.
            return (op, patterns[0]) if len({len(p) for p in patterns}) < 4 else None
    return None


def expected_element_count(value: SSAValue) -> tuple[LayerOp, int] | None:
    """Return the first layer that takes a number of elements in any shape (a Reshape) and reads a
    value, perhaps through layers that keep its shape, and that number; `None` without one."""
    for use in _first_uses(value):
        op = use.operation
        if isinstance(op, LayerOp) and (count := op.expected_elements()) is not None:
            return op, count
    return None


def expected_state(value: SSAValue) -> tuple[LayerOp, Shape] | None:
    """Return a recurrent layer that reads a value, or a part of it along the outermost axis, as a
    state, and the shape of the whole value; `None` without one."""
    for use in value.uses:
        op = use.operation
        if isinstance(op, LayerOp) and (shape := op.expected_state(use.index)) is not None:
            return op, shape
        if isinstance(op, SliceOp) and op.axis == 0:
            parts = [found for each in op.outputs if (found := expected_state(each)) is not None]
            if len(parts) == len(op.outputs) and len({shape[1:] for _, shape in parts}) == 1:
                layer, first = parts[0]
                return layer, (sum(shape[0] for _, shape in parts), *first[1:])
    return None


def _first_uses(value: SSAValue) -> Iterator[Use]:
    """Yield the uses of a value as the first operand of layers, and the uses of the results of the
    layers that keep its shape or combine it with constants, the nearest first."""
    pending, seen = [value], {value}
    while pending:
        for use in pending.pop(0).uses:
            op = use.operation
            if not isinstance(op, LayerOp) or (use.index and not isinstance(op, BinaryOpOp)):
                continue
            yield use
            if op.keeps_shape() or _reads_constants_beside(op, use.index):
                pending += [r for r in op.results if r not in seen]
                seen.update(op.results)


def _reads_constants_beside(op: LayerOp, index: int) -> bool:
    """Whether a layer combines the operand of this index with constants, which rarely have more
    dims."""
    if not isinstance(op, BinaryOpOp):
        return False
    others = [value for i, value in enumerate(op.operands) if i != index]
    return all(isinstance(value.owner, ConstantOp) for value in others)


def advice(func: FuncOp, index: int, of_export: bool = False) -> str:
    """Return the advice to set the shape of an input, with a shape that its first layer takes. If
    only the shape of the export is right (`of_export`), extents are not guessed."""
    option, arg = f"--input-shape {input_name(func, index)}", func.body.block.args[index]
    if (found := expected_input_shape(arg)) is not None:
        takes = f"{found[0].label()} takes {pattern_text(found[1])}"
    elif (counted := expected_element_count(arg)) is not None:
        takes = f"{counted[0].label()} takes {counted[1]} elements"
    elif (state := expected_state(arg)) is not None:
        takes = f"{state[0].label()} reads it as a state"
    else:
        return f"give it with {option}=…"
    if of_export:
        extents = pattern_text(found[1]).replace("?", "…") if found is not None else "…"
        return f"{takes}; give the size of the export: {option}={extents}"
    likely = likely_shapes(func)
    if index in likely and runs(func, likely):
        return f"{takes}; try {option}={pattern_text(likely[index])}"
    return f"{takes}; give it with {option}=…"


def likely_shapes(func: FuncOp) -> dict[int, Shape]:
    """Return static shapes, by index, for the inputs with dynamic extents.

    The first layers determine extents, and the others are usual extents. The shapes contradict no
    weights and leave the fewest unknown extents in the model: the output of a window larger than
    its blob is unknown. A Reshape to a known number of elements, or a recurrent layer that reads
    a state, determines a shape if the other layers take it. Inputs without any known extent are
    omitted.
    """
    best = _with_usual_extents(func)
    for arg in func.body.block.args:
        shape = _shape_of_count(arg) or _shape_of_state(arg)
        if shape is not None and runs(func, {**best, arg.index: shape}):
            best[arg.index] = shape
    return best


def _shape_of_count(arg: BlockArgument) -> Shape | None:
    """Return the shape of an input from the number of elements that its first Reshape takes: a
    vector if the rank is unknown, or the only dynamic extent of its type; else `None`."""
    found = expected_element_count(arg)
    if found is None or _pattern(arg) is not None:
        return None
    own, count = shape_of(arg), found[1]
    if own is None:
        return (count,)
    if own.count(DYNAMIC_INDEX) != 1:
        return None
    rest = prod(n for n in own if n != DYNAMIC_INDEX)
    extent, left = divmod(count, rest)
    return None if left else tuple(extent if n == DYNAMIC_INDEX else n for n in own)


def _shape_of_state(arg: BlockArgument) -> Shape | None:
    """Return the shape of an input of unknown rank that is a state; else `None`."""
    found = expected_state(arg)
    known = shape_of(arg) is not None or _pattern(arg) is not None
    return None if found is None or known else found[1]


def _with_usual_extents(func: FuncOp) -> dict[int, Shape]:
    """Return shapes for the inputs with an extent from their types or from layers with weights."""
    patterns = _likely_patterns(func)
    if not patterns:
        return {}
    best, least = _filled(patterns, USUAL_EXTENTS[0]), inf
    for extents in (USUAL_EXTENTS, RARE_EXTENTS):
        if least < inf and runs(func, best):
            return best
        for extent in extents:
            shapes = _filled(patterns, extent)
            unknown = unknown_extents(func, shapes)
            if unknown is not None and unknown < least:
                best, least = shapes, unknown
            if not least:
                return best
    return best


def _filled(patterns: Mapping[int, Pattern], extent: int) -> dict[int, Shape]:
    """Return shapes with this extent where a pattern has none."""
    return {i: tuple(extent if n is None else n for n in p) for i, p in patterns.items()}


def _likely_patterns(func: FuncOp) -> dict[int, Pattern]:
    """Return the inputs with dynamic extents, by index, as far as the first layers determine
    them."""
    return {
        arg.index: pattern
        for arg in func.body.block.args
        if (pattern := _completed(shape_of(arg), _pattern(arg))) is not None
        and pattern != shape_of(arg)
    }


def with_likely_ranks(func: FuncOp) -> FuncOp:
    """Return a function whose inputs of unknown shape have the ranks and the extents that the first
    layers take, and dynamic extents otherwise: a copy, or `func` if nothing is unknown."""
    patterns = _likely_patterns(func)
    if not patterns:
        return func
    return with_shapes(func, _filled(patterns, DYNAMIC_INDEX))


def unknown_extents(func: FuncOp, shapes: Mapping[int, Shape]) -> int | None:
    """Return the number of extents that do not follow from inputs of these shapes; `None` if
    weights contradict them."""
    copy = with_shapes(func, shapes)
    if next(contradictions(copy), None) is not None:
        return None
    found = [shape_of(value) for op in copy.body.block.ops for value in op.results]
    return sum(1 if shape is None else shape.count(DYNAMIC_INDEX) for shape in found)


def _pattern(value: SSAValue) -> Pattern | None:
    found = expected_input_shape(value)
    return None if found is None else found[1]


def _completed(shape: Shape | None, pattern: Pattern | None) -> Pattern | None:
    """Return the shape of a type, with its dynamic extents taken from a layer's pattern."""
    if shape is None:
        return pattern
    own = tuple(None if n == DYNAMIC_INDEX else n for n in shape)
    if pattern is None or len(pattern) != len(own):
        return own
    return tuple(b if a is None else a for a, b in zip(own, pattern, strict=True))


def fits(func: FuncOp, shapes: Mapping[int, Shape]) -> bool:
    """Whether inputs of these shapes fit all weights."""
    return unknown_extents(func, shapes) is not None


def runs(func: FuncOp, shapes: Mapping[int, Shape]) -> bool:
    """Whether inputs of these shapes fit all weights and all windows."""
    copy = with_shapes(func, shapes)
    return next(contradictions(copy), None) is None and next(misfits(copy), None) is None


def fitting_shape(
    func: FuncOp, index: int, shape: Shape, declared: Shape | None = None
) -> Shape | None:
    """Return a shape that a user may have meant by `shape` and that fits all weights and all
    windows; `None` if no candidate fits. `declared` is the shape in the file."""
    candidates = _similar(shape, declared, _pattern(func.body.block.args[index]))
    return next((each for each in candidates if runs(func, {index: each})), None)


def _similar(shape: Shape, declared: Shape | None, pattern: Pattern | None) -> Iterator[Shape]:
    """Yield shapes similar to one, the likeliest first, each once: without a batch axis, with
    permuted axes, with the extents of the first layer's pattern, permutations of the declared
    shape, or with usual extents in that pattern."""
    yield from dict.fromkeys(
        each
        for each in _all_similar(shape, declared, pattern)
        if pattern is None or len(pattern) != len(each) or _agrees(each, pattern)
    )


def _agrees(shape: Shape, pattern: Pattern) -> bool:
    return all(m is None or m == n for m, n in zip(pattern, shape, strict=True))


def _all_similar(shape: Shape, declared: Shape | None, pattern: Pattern | None) -> Iterator[Shape]:
    inner = shape
    while len(inner) > 1 and inner[0] == 1:
        inner = inner[1:]
        yield inner
    given = dict.fromkeys((inner, shape))
    for each in given:
        yield each[-1:] + each[:-1]  # channels last
        yield each[::-1]
        yield from permutations(each)
    for each in given:
        if pattern is not None and len(pattern) == len(each):
            yield tuple(n if m is None else m for m, n in zip(pattern, each, strict=True))
    if declared is not None and len(declared) <= 4:
        yield declared
        yield declared[-1:] + declared[:-1]
        yield from permutations(declared)
    if pattern is not None:
        for extent in (*USUAL_EXTENTS, *RARE_EXTENTS):
            yield _filled({0: pattern}, extent)[0]
