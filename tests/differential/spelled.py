"""The layers that a graph can spell out, and drawing models that do so, or nearly."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from . import spellings
from .nets import Shape, extents
from .sketches import Sketch
from .spellings import MISSES, Speller


def shapes(least: int = 1, most: int = 4) -> st.SearchStrategy[Shape]:
    """Shapes of so many dims."""
    return st.integers(least, most).flatmap(
        lambda rank: st.tuples(*(st.integers(2, 9 if rank < 3 else 6) for _ in range(rank)))
    )


@dataclass(frozen=True)
class Kind:
    """A layer that can be spelled out."""

    type: str
    spell: Callable[[Speller], str]
    shapes: st.SearchStrategy[Shape]
    certain: bool = False
    """Whether it takes extents that do not depend on those of the input."""

    @property
    def name(self) -> str:
        """The pass that recognizes it."""
        return f"fuse-{self.type.lower()}"


def along(
    spell: Callable[[Speller, tuple[int, ...]], str], first: int, last: int | None = None
) -> Callable[[Speller], str]:
    """A spelling along some axes, counted as a slice of them all."""
    return lambda s: spell(s, tuple(range(len(s.shape)))[first:last])


ELEMENTWISE = {
    "swish": Kind("Swish", spellings.swish, shapes()),
    "hardsigmoid": Kind("HardSigmoid", spellings.hard_sigmoid, shapes()),
    "hardswish": Kind("HardSwish", spellings.hard_swish, shapes()),
    "mish": Kind("Mish", spellings.mish, shapes()),
    "gelu": Kind("GELU", spellings.gelu, shapes()),
    "fast_gelu": Kind("GELU", spellings.fast_gelu, shapes()),
}
NORMALIZATIONS = {
    "layernorm": Kind("LayerNorm", along(spellings.norm, -1), shapes(1, 2)),
    "layernorm_w": Kind("LayerNorm", along(spellings.norm, -1), shapes(3, 4), certain=True),
    "layernorm_hw": Kind("LayerNorm", along(spellings.norm, -2), shapes(4, 4), certain=True),
    "rmsnorm": Kind("RMSNorm", along(spellings.rms_norm, -1), shapes(1, 2)),
    "rmsnorm_w": Kind("RMSNorm", along(spellings.rms_norm, -1), shapes(3, 4), certain=True),
    "rmsnorm_hw": Kind("RMSNorm", along(spellings.rms_norm, -2), shapes(3, 4), certain=True),
    "instancenorm": Kind("InstanceNorm", along(spellings.norm, 1), shapes(3, 4)),
    "groupnorm": Kind("GroupNorm", along(spellings.norm, 0), shapes(2, 4), certain=True),
    "normalize": Kind("Normalize", along(spellings.normalize, 0), shapes(1, 1)),
    "normalize_all": Kind("Normalize", along(spellings.normalize, 0), shapes(3, 4)),
    "normalize_channels": Kind("Normalize", along(spellings.normalize, 0, 1), shapes(3, 4)),
    "normalize_positions": Kind("Normalize", along(spellings.normalize, 1), shapes(3, 4)),
    "softmax_first": Kind("Softmax", along(spellings.softmax, 0, 1), shapes()),
    "softmax_last": Kind("Softmax", along(spellings.softmax, -1), shapes()),
}
KINDS = ELEMENTWISE | NORMALIZATIONS


@dataclass(frozen=True)
class Spelled:
    """A model with a spelling, or something close to one."""

    sketch: Sketch
    layers: int
    """How many it has before the spelling."""
    miss: str
    """What keeps it from being one."""


@st.composite
def spelled(draw: st.DrawFn, kind: Kind) -> Spelled:
    """A model that spells out a layer, and perhaps has something wrong in it."""
    shape = draw(kind.shapes)
    sketch = Sketch(draw(st.integers(0, 999)))
    x = sketch.input(shape, draw(st.booleans()) or not kind.certain, 3.0)
    if kind.certain:
        x = sketch.layer("Reshape", x, extents(shape))
    start = len(sketch.steps)
    miss = draw(st.sampled_from(MISSES))
    s = Speller(draw, sketch, shape, miss, draw(st.integers(0, 3)), source=x)
    y = kind.spell(s)
    steps = sketch.steps
    inner = [i for i in range(start, len(steps) - 1) if steps[i].kind not in ("MemoryData", "ELU")]
    if miss in ("reader", "output", "features") and inner:
        i = draw(st.sampled_from(inner))
        s.spoilt = True
        match miss:
            case "reader":
                sketch.layer("AbsVal", steps[i].blob)
            case "output":
                sketch.also_outputs.append(steps[i].blob)
            case _:
                own = steps[i].params
                assert not isinstance(own, str)
                steps[i] = replace(steps[i], params={**own, 31: 1})
    if draw(st.booleans()):
        sketch.layer("AbsVal", y)
    return Spelled(sketch, start, miss if s.spoilt else "")
