"""Drawing rotary position embedding as layers spell it out, attention whose heads share keys, and
what comes close to them."""

import numpy as np
from hypothesis import strategies as st

from .near_misses import NearMiss, misses
from .sketches import Sketch

ADD, SUB, MUL, RSUB = 0, 1, 2, 7
"""BinaryOp's `op_type`."""

ROTATION_MISSES = ("reader", "output", "order", "sign", "steps", "row", "heads", "thirds", "other")
"""What keeps a rotation from being a RotaryEmbed: somebody else who reads a half, a product that is
an output, halves that are not exchanged, no sign or that of the other half, steps that are not
certain, tables of one row, tables of their own for each head, unequal parts, products of another
blob."""

HEADS_MISSES = ("reader", "output", "together", "values", "times")
"""What keeps repeated heads: somebody else who reads them, keys that are an output, heads that are
repeated all together, values that are not repeated, keys and values that are not repeated as often.
"""


@st.composite
def rotations(draw: st.DrawFn, miss: str | None = None) -> NearMiss:
    """A rotation of heads, of the halves of a blob at once or one after the other."""
    sketch = Sketch(draw(st.integers(0, 999)))
    miss = draw(misses(ROTATION_MISSES)) if miss is None else miss
    steps, heads = draw(st.integers(2, 9)), draw(st.integers(2, 5))
    half = draw(st.sampled_from([1, 2, 3, 4, 8, 16]))
    e = 3 * half if miss == "thirds" else 2 * half
    x = _heads(draw, sketch, steps, heads, e, miss != "steps")
    apart = miss not in ("thirds", "steps", "row", "heads") and draw(st.booleans())
    width = half if apart else e
    tables = [
        _table(draw, sketch, heads if miss == "heads" else 1, 1 if miss == "row" else steps, width)
        for _ in range(2)
    ]
    a, b = _cut(draw, sketch, x, half, e)
    if miss == "reader":
        sketch.layer("AbsVal", b)
    if miss == "other":
        x = sketch.layer("AbsVal", x)
    if apart:
        y = _of_parts(draw, sketch, x, (a, b), tables, miss)
    else:
        y = _at_once(draw, sketch, x, (a, b), tables, miss)
    sketch.layer("AbsVal", y)
    return NearMiss(sketch, miss)


def _of_parts(
    draw: st.DrawFn, sketch: Sketch, x: str, parts: tuple[str, str], tables: list[str], miss: str
) -> str:
    (a, b), (cos, sin) = parts, tables
    if miss == "other":
        b = sketch.layer("AbsVal", b)
    minus = _product(draw, sketch, b, sin)
    plus = _product(draw, sketch, a, cos)
    if miss == "sign":
        first = _sum(draw, sketch, plus, minus)
    elif draw(st.booleans()):
        first = sketch.layer("BinaryOp", [plus, minus], {0: SUB})
    else:
        first = sketch.layer("BinaryOp", [minus, plus], {0: RSUB})
    products = [_product(draw, sketch, b, cos), _product(draw, sketch, a, sin)]
    if miss == "output":
        sketch.also_outputs.append(products[0])
    second = _sum(draw, sketch, *products)
    pair = [second, first] if miss == "order" else [first, second]
    return sketch.layer("Concat", pair, {0: 2})


def _at_once(
    draw: st.DrawFn, sketch: Sketch, x: str, parts: tuple[str, str], tables: list[str], miss: str
) -> str:
    (a, b), (cos, sin) = parts, tables
    way = draw(st.integers(0, 2))
    negated = a if miss == "sign" else b
    if way == 0:
        minus = sketch.layer("UnaryOp", negated, {0: 1})
    elif way == 1:
        minus = sketch.layer("BinaryOp", negated, {0: MUL, 1: 1, 2: -1.0})
    else:
        minus = sketch.layer("BinaryOp", negated, {0: RSUB, 1: 1, 2: 0.0})
    kept = b if miss == "sign" else a
    pair = [kept, minus] if miss == "order" else [minus, kept]
    turned = _product(draw, sketch, sketch.layer("Concat", pair, {0: 2}), sin)
    straight = _product(draw, sketch, x, cos)
    if miss == "output":
        sketch.also_outputs.append(turned)
    return _sum(draw, sketch, straight, turned)


def _product(draw: st.DrawFn, sketch: Sketch, x: str, table: str) -> str:
    pair = [x, table] if draw(st.booleans()) else [table, x]
    return sketch.layer("BinaryOp", pair, {0: MUL})


def _sum(draw: st.DrawFn, sketch: Sketch, a: str, b: str) -> str:
    pair = [a, b] if draw(st.booleans()) else [b, a]
    if draw(st.integers(0, 3)):
        return sketch.layer("BinaryOp", pair, {0: ADD})
    return sketch.layer("Eltwise", pair, {0: 1})


def _heads(
    draw: st.DrawFn, sketch: Sketch, steps: int, heads: int, features: int, certain: bool
) -> str:
    """`heads x steps x features`; `certain`: the steps, too."""
    x = sketch.input((steps, heads * features), draw(st.booleans()), 1.5)
    split = {0: features, 1: heads, 2: steps if certain else -1}
    return sketch.layer("Permute", sketch.layer("Reshape", x, split), {0: 2})


def _table(draw: st.DrawFn, sketch: Sketch, heads: int, steps: int, width: int) -> str:
    """Sines or cosines, twice the same half perhaps."""
    values = np.random.default_rng(draw(st.integers(0, 99))).standard_normal((heads, steps, width))
    if width % 2 == 0 and draw(st.booleans()):
        values[..., width // 2 :] = values[..., : width // 2]
    if heads == 1 and draw(st.booleans()):
        table = sketch.constant(values[0].astype("f4"))
        return sketch.layer("Reshape", table, {0: width, 1: steps, 2: 1})
    return sketch.constant(values.astype("f4"))


def _cut(draw: st.DrawFn, sketch: Sketch, x: str, half: int, e: int) -> tuple[str, str]:
    """The first part of the features, and the rest."""
    axis = draw(st.sampled_from([2, -1]))
    if draw(st.booleans()):
        sizes = [half, -233] if e != 2 * half or draw(st.booleans()) else [-233, -233]
        text = f"-23300=2,{sizes[0]},{sizes[1]} 1={axis}"
        a, b = sketch.cut("Slice", x, 2, text)
        return a, b
    ends = [(0, half), (half, e)]
    first, second = (
        sketch.layer("Crop", x, f"-23309=1,{start} -23310=1,{end} -23311=1,2")
        for start, end in ends
    )
    return first, second


@st.composite
def shared_heads(draw: st.DrawFn, miss: str | None = None) -> NearMiss:
    """An SDPA of keys and values that a Tile repeats for several heads."""
    sketch = Sketch(draw(st.integers(0, 999)))
    miss = draw(misses(HEADS_MISSES)) if miss is None else miss
    groups, times = draw(st.integers(2, 4)), draw(st.integers(2, 4))
    times = 4 if miss == "times" else times
    steps, keys, e = (draw(st.integers(2, 8)) for _ in range(3))
    heads = groups * times * draw(st.sampled_from([1, 2]))
    q = _heads(draw, sketch, steps, heads, e, draw(st.booleans()))
    certain = miss in ("values", "times") or draw(st.booleans())
    k = v = _heads(draw, sketch, keys, groups, e, certain)
    if miss == "values":
        v = _heads(draw, sketch, keys, groups * times, e, True)
    elif miss == "times":
        v = _heads(draw, sketch, keys, groups * 2, e, True)
        v = _repeated(draw, sketch, v, groups * 2, 2, e, "")
    else:
        v = _repeated(draw, sketch, v, groups, times, e, "")
    k = _repeated(draw, sketch, k, groups, times, e, miss)
    if miss == "output":
        sketch.also_outputs.append(k)
    if miss == "reader":
        sketch.layer("AbsVal", k)
    y = sketch.layer("SDPA", [q, k, v], {6: draw(st.sampled_from([0.0, 0.4]))})
    sketch.layer("AbsVal", y)
    return NearMiss(sketch, miss)


def _repeated(
    draw: st.DrawFn, sketch: Sketch, x: str, groups: int, times: int, e: int, miss: str
) -> str:
    """Heads one after the other, each so many times in a row."""
    if miss == "together":
        return sketch.layer("Tile", x, f"-23302=3,{times},1,1")
    if draw(st.booleans()):
        x = sketch.layer("ExpandDims", x, "-23303=1,1")
    x = sketch.layer("Tile", x, f"-23302=4,1,{times},1,1")
    return sketch.layer("Reshape", x, {0: e, 1: -1, 2: groups * times})
