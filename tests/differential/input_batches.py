"""Drawing models of which an input may be a batch of blobs: Reshapes that take the batch as an
axis, that keep it, or that make another one of it, and layers before, between and after."""

from math import prod

from hypothesis import strategies as st

from .batches import FUNCTIONS, PARAMS
from .sketches import Sketch

Shape = tuple[int, ...]

REFERENCES = {1: "{0}w", 2: "{0}w,{0}h", 3: "{0}w,{0}h,{0}c", 4: "{0}w,{0}h,{0}d,{0}c"}
"""The extents of another blob, as an expression."""


@st.composite
def input_batches(draw: st.DrawFn) -> Sketch:
    """Inputs, layers of each blob, and Reshapes with batch axes."""
    sketch = Sketch(draw(st.integers(0, 999)))
    shape = tuple(draw(st.lists(st.integers(1, 4), min_size=1, max_size=3)))
    declared = draw(st.booleans())
    blobs = [(sketch.input(shape, declared), shape)]
    if draw(st.booleans()):
        blobs.append((sketch.input(shape, declared), shape))
    for _ in range(draw(st.integers(2, 6))):
        source, extents = draw(st.sampled_from(blobs))
        kind = draw(st.sampled_from(["function", "batch", "batch", "sum", "shape", "like"]))
        if kind == "function":
            blobs.append((sketch.layer(draw(st.sampled_from(FUNCTIONS)), source), extents))
        elif kind == "sum":
            other = draw(st.sampled_from([b for b, s in blobs if s == extents]))
            blobs.append((sketch.layer("BinaryOp", [source, other], {0: 0}), extents))
        elif kind == "shape":
            new = draw(st.sampled_from([(prod(extents),), (extents[0], prod(extents[1:]))]))
            params = dict(zip(PARAMS[len(new)], new, strict=True))
            blobs.append((sketch.layer("Reshape", source, params), new))
        elif kind == "like":
            other, wanted = draw(st.sampled_from(blobs))
            if prod(wanted) == prod(extents):
                text = REFERENCES[len(wanted)].format(1)
                reads = [source, other]
                blobs.append((sketch.layer("Reshape", reads, f'6="{text}"'), wanted))
        else:
            blobs.append(_batch(draw, sketch, source, extents))
    return sketch


def _batch(draw: st.DrawFn, sketch: Sketch, x: str, shape: Shape) -> tuple[str, Shape]:
    """A Reshape with a batch axis of the input, of the output, or both; its result for an input of
    one blob, and the extents of that."""
    axis = draw(st.integers(0, len(shape)))
    logical = (*shape[:axis], 1, *shape[axis:])
    new = draw(st.sampled_from([logical, (1, *shape), (prod(shape), 1), (1, prod(shape)), shape]))
    new = new if len(new) < 5 else (prod(shape), 1)
    places = [i for i, n in enumerate(new) if n == 1]
    params = {12: draw(st.sampled_from([axis, axis, axis - len(logical)]))}
    out = draw(st.sampled_from([None, *places, *places]))
    if len(new) == 1 or out is None:
        out = None
    else:
        params[13] = draw(st.sampled_from([out, out, out - len(new)]))
    if draw(st.booleans()):
        wanted = [str(n) for n in new]
        if out is not None:
            # The number of blobs as it is, as what is left, or as it happens to be.
            wanted[out] = draw(st.sampled_from(["0n", "0n", "-1", "1"]))
        if draw(st.booleans()):
            i = draw(st.integers(0, len(new) - 1))
            if i != out and "-1" not in wanted:
                wanted[i] = draw(st.sampled_from(["-1", f"//({new[i]},0n)", f"*({new[i]},0n)"]))
        text = f'6="{",".join(wanted[::-1])}" ' + " ".join(f"{k}={v}" for k, v in params.items())
        y = sketch.layer("Reshape", x, text)
    else:
        extents = list(new)
        i = draw(st.integers(0, len(new) - 1))
        extents[i] = draw(st.sampled_from([extents[i], -1]))
        y = sketch.layer("Reshape", x, dict(zip(PARAMS[len(new)], extents, strict=True)) | params)
    after = new if out is None else (*new[:out], *new[out + 1 :])
    return y, after
