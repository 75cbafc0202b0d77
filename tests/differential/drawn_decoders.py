"""Drawing decoders: without a cache, with the caches of attention layers, and with caches that
Concats append to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from .decoding import causal
from .nets import PLAIN, Array, Dress, Net, Params
from .sketches import Sketch, Weigh, nothing

WHOLE, CACHED, APPENDED = "whole", "cached", "appended"
"""All steps in each call; caches of the attention layers; caches that Concats append to."""

ANY_MISSES = ("together", "early", "values", "times")
"""Heads that are repeated all together, or before the rotation; values that have heads of their
own, or are repeated not as often. Of caches, other layers may read the past or all steps, and a
Concat may have the new steps first."""
REFUSED = (
    *("no mask", "visible", "doubled mask", "separate"),
    *("over steps", "rotated", "mixer", "pairs", "positions"),
)
"""Without a cache: no mask, a constant mask that shows later steps, a computed mask, keys of a blob
of their own; a layer over all steps, steps in another order, a product over the steps, steps that
a Reshape joins, constants for each position. `add-kv-cache` may refuse these models."""
MISSES = {
    WHOLE: (*ANY_MISSES, *REFUSED),
    CACHED: (*ANY_MISSES, "shown"),  # the runtime grows caches in place: no other layer reads them
    APPENDED: (*ANY_MISSES, "read", "shown", "newest first"),
}

Values = NDArray[np.float64]

ADD, MUL = 0, 2
"""BinaryOp's `op_type`."""
ENCODED = 5
"""The rows of an encoder's output."""
EXPORTS = (0, 1, 3, 4, 6)
"""The numbers of steps that models are exported for; 0: any."""


@dataclass(frozen=True)
class Plan:
    """The sizes and layers of a decoder."""

    seed: int
    form: str
    miss: str
    steps: tuple[int, ...]
    """The number of steps of each call."""
    layers: int
    groups: int
    times: int
    """The heads of keys and values, and the queries of each."""
    features: int
    """Of a head."""
    multihead: bool
    """Whether self-attention is a MultiHeadAttention."""
    spelled: bool
    """Whether layers repeat keys and values for each query."""
    rotation: int | None
    """How a RotaryEmbed pairs features, if there is one."""
    cross: str
    """The layer type of cross-attention, if there is any."""
    exported: int
    """The steps that the model is exported for; 0: any."""
    constant: bool
    """Whether an exported model has constants for its steps."""
    scale: float
    norm: str

    @property
    def heads(self) -> int:
        """The heads of queries."""
        return self.groups * self.times

    @property
    def width(self) -> int:
        """The features of a step."""
        return self.heads * self.features

    @property
    def may_be_refused(self) -> bool:
        """Whether `add-kv-cache` may refuse the model: also if it was exported for one step, so
        that other axes of extent 1 look like that of steps."""
        return self.form == WHOLE and (self.miss in REFUSED or self.exported == 1)

    @property
    def count(self) -> int:
        """The steps of all calls."""
        return sum(self.steps)


@st.composite
def plans(draw: st.DrawFn, form: str) -> Plan:
    """A decoder, in every fourth one of which one thing is otherwise."""
    miss = draw(st.sampled_from(MISSES[form])) if draw(st.integers(0, 3)) == 0 else ""
    multihead = miss == "separate" or (
        form != APPENDED and miss in ("", *REFUSED) and draw(st.integers(0, 3)) == 0
    )
    apart = miss in ANY_MISSES
    exported = draw(st.sampled_from([0, *EXPORTS])) if form == WHOLE else 0
    return Plan(
        seed=draw(st.integers(0, 999)),
        form=form,
        miss=miss,
        steps=(draw(st.integers(1, 7)), *draw(st.lists(st.integers(1, 3), max_size=4))),
        layers=draw(st.integers(1, 2)),
        groups=draw(st.integers(2 if apart else 1, 3)),
        times=draw(st.integers(2 if apart else 1, 3)),
        features=draw(st.sampled_from([4, 6, 8])),
        multihead=multihead,
        spelled=apart or (not multihead and draw(st.integers(0, 3)) > 0),
        rotation=0 if miss == "early" else draw(st.sampled_from([None, 0, 0, 1])),
        cross=draw(st.sampled_from(["", "", "SDPA", "MultiHeadAttention"])),
        exported=exported or (4 if miss in ("visible", "mixer", "positions") else 0),
        constant=miss == "visible" or draw(st.booleans()),
        scale=draw(st.sampled_from([0.0, 0.35, 0.9])),
        norm=draw(st.sampled_from(["RMSNorm", "LayerNorm"])),
    )


@dataclass
class DecoderModel:
    """A decoder as a sketch, and the names of its inputs and outputs."""

    plan: Plan
    sketch: Sketch = field(default_factory=Sketch)
    rows: dict[str, Array] = field(default_factory=dict[str, Array])
    """The inputs that have a row for each step."""
    fixed: dict[str, Array] = field(default_factory=dict[str, Array])
    """The inputs that are the same in each call."""
    mask: str = ""
    caches: dict[str, str] = field(default_factory=dict[str, str])
    """The outputs that the next call gets, by the names of the inputs."""
    past_heads: dict[str, int] = field(default_factory=dict[str, int])
    """The heads of caches that a Concat appends to."""
    cached: list[int] = field(default_factory=list[int])
    crossed: list[int] = field(default_factory=list[int])
    """The attention layers that may have a cache, and those that read keys from inputs. The runtime
    crashes in the second call of a cross-attention with a cache of 4, 8, 12, … heads."""
    out: str = ""

    def __post_init__(self) -> None:
        plan = self.plan
        self.rng = np.random.default_rng(plan.seed)
        self.attentions = 0
        rng = np.random.default_rng((plan.seed, 1))
        self.most = max(plan.count, EXPORTS[-1])
        x = self.input(rng.standard_normal((self.most, plan.width)) * 3, self.rows)
        self.encoded = ""
        if plan.cross:
            values = rng.standard_normal((ENCODED, plan.width)) * 2
            self.encoded = self.input(values, self.fixed)
        self.turns: tuple[str, ...] = ()
        if plan.rotation is not None:
            angles = np.outer(np.arange(self.most), 2.0 ** -np.arange(plan.features // 2))
            self.turns = tuple(self.table(f(angles)) for f in (np.cos, np.sin))
        self.attn_mask = self.make_mask() if plan.miss != "no mask" else ""
        for _ in range(plan.layers):
            x = self.residual(x, self.multihead if plan.multihead else self.attention)
            if plan.cross:
                x = self.residual(x, self.cross)
            x = self.residual(x, self.feed_forward)
        self.out = self.sketch.layer(
            "AbsVal", self.sketch.layer("BinaryOp", x, {0: ADD, 1: 1, 2: 9.0})
        )

    def build(self, dress: Dress = PLAIN) -> Net:
        """The net. Nothing stands before its inputs: calls have rows of them."""
        return self.sketch.build(replace(dress, front=None, values=None))

    def reference(self) -> "DecoderModel":
        """The decoder without caches, for any number of steps."""
        return DecoderModel(replace(self.plan, form=WHOLE, exported=0))

    def input(self, values: Values, kind: dict[str, Array]) -> str:
        """An input with these values; an exported model declares it."""
        steps = self.plan.exported
        rows = steps if kind is self.rows and steps else len(values)
        name = self.sketch.input((rows, *values.shape[1:]), bool(steps))
        kind[name] = values.astype("f4")
        return name

    def table(self, values: Values) -> str:
        """Cosines or sines."""
        steps = self.plan.exported
        if steps and self.plan.constant:
            return self.sketch.constant(values[:steps].astype("f4"))
        return self.input(values, self.rows)

    def make_mask(self) -> str:
        steps, rng = self.plan.exported, np.random.default_rng(self.plan.seed)
        if self.plan.miss == "visible":
            return self.sketch.constant(rng.standard_normal((steps, steps)).astype("f4"))
        if steps and self.plan.constant:
            return self.sketch.constant(causal(0, steps))
        self.mask = self.sketch.input((steps or 4, steps or 4), bool(steps))
        if self.plan.miss == "doubled mask":
            return self.sketch.layer("BinaryOp", self.mask, {0: MUL, 1: 1, 2: 2.0})
        return self.mask

    def weight(self, *shape: int, bias: bool = False) -> Weigh:
        """A weight that is the same in each form of a decoder."""
        values = (self.rng.standard_normal(shape) * 1.5 * shape[-1] ** -0.5).astype("f4")
        return lambda net: net.plain(values) if bias else net.tagged(values)

    def linear(self, x: str, inputs: int, outputs: int) -> str:
        params: Params = {3: 1, 5: 1, 6: 1, 7: self.plan.exported, 8: outputs, 9: inputs, 10: -1}
        if x == self.encoded:
            params = {**params, 7: 0}
        return self.sketch.layer("Gemm", x, params, self.weight(outputs, inputs))

    def residual(self, x: str, block: Callable[[str], str]) -> str:
        """`x + block(norm(x))`."""
        width = self.plan.width
        gamma, beta = (self.weight(width, bias=True) for _ in range(2))

        def weigh(net: Net) -> None:
            gamma(net)
            if self.plan.norm == "LayerNorm":
                beta(net)

        normed = self.sketch.layer(self.plan.norm, x, {0: width, 1: 1e-6, 2: 1}, weigh)
        return self.sketch.layer("BinaryOp", [x, block(self.mixed(normed))], {0: ADD})

    def mixed(self, x: str) -> str:
        """Layers that combine steps, in near misses."""
        layer, width, steps = self.sketch.layer, self.plan.width, self.plan.exported
        match self.plan.miss:
            case "over steps" if self.plan.seed % 2:
                return layer("Softmax", x, {0: 0, 1: 1})
            case "over steps":
                x = layer("Permute", x, {0: 1})
                return layer("Permute", layer("LayerNorm", x, {0: 4, 1: 1e-5, 2: 0}), {0: 1})
            case "rotated":
                first, others = self.sketch.cut("Slice", x, 2, "-23300=2,1,-233 1=0")
                return layer("Concat", [others, first], {0: 0})
            case "mixer" if steps:
                params: Params = {3: 1, 5: 1, 6: 1, 7: width, 8: steps, 9: steps, 10: -1}
                x = layer("Gemm", layer("Permute", x, {0: 1}), params, self.weight(steps, steps))
                return layer("Permute", x, {0: 1})
            case "pairs":
                x = layer("Reshape", x, {0: 2 * width, 1: -1})
                x = layer("LayerNorm", x, {0: 2 * width, 1: 1e-5, 2: 0})
                return layer("Reshape", x, {0: width, 1: -1})
            case "positions" if steps:
                rng = np.random.default_rng(self.plan.seed)
                rows = self.sketch.constant(rng.standard_normal((steps, width)).astype("f4"))
                return layer("BinaryOp", [x, rows], {0: ADD})
            case _:
                return x

    def feed_forward(self, x: str) -> str:
        width = self.plan.width
        gate = self.sketch.layer("Swish", self.linear(x, width, 12))
        product = self.sketch.layer("BinaryOp", [gate, self.linear(x, width, 12)], {0: MUL})
        return self.linear(product, 12, width)

    def heads_of(self, x: str, count: int) -> str:
        """`count x steps x features`."""
        steps = self.plan.exported if x != self.encoded else 0
        y = self.linear(x, self.plan.width, count * self.plan.features)
        params: Params = {0: self.plan.features, 1: count, 2: steps or -1}
        return self.sketch.layer("Permute", self.sketch.layer("Reshape", y, params), {0: 2})

    def repeated(self, x: str, times: int, free: bool = False) -> str:
        """Each head several times; `free`: not of the exported steps."""
        if not self.plan.spelled:
            return x
        together = self.plan.miss == "together"
        tiles = [times, 1, 1, 1] if together else [1, times, 1, 1]
        x = self.sketch.layer("ExpandDims", x, {3: [0 if together else 1]})
        x = self.sketch.layer("Tile", x, {2: tiles})
        steps = -1 if free or not self.plan.exported else self.plan.exported
        return self.sketch.layer(
            "Reshape", x, {0: self.plan.features, 1: steps, 2: self.plan.heads}
        )

    def keys_and_values(self, x: str) -> tuple[list[str], list[int]]:
        """Keys and values, and how often their heads are repeated."""
        plan = self.plan
        groups = {"values": plan.heads, "times": 1}.get(plan.miss, plan.groups)
        return [self.heads_of(x, n) for n in (plan.groups, groups)], [
            plan.times,
            plan.heads // groups,
        ]

    def attention(self, x: str) -> str:
        """Self-attention by an SDPA."""
        plan, layer = self.plan, self.sketch.layer
        q = self.heads_of(x, plan.heads)
        (k, v), times = self.keys_and_values(x)
        if plan.miss == "early":
            k, times[0] = self.repeated(k, times[0]), 0
        if plan.rotation is not None:
            q, k = (layer("RotaryEmbed", [y, *self.turns], {0: plan.rotation}) for y in (q, k))
        behind = plan.form == APPENDED and plan.seed % 2 == 0
        pair = [k, v]
        if not behind:
            pair = [
                self.repeated(y, n, False) if n else y for y, n in zip(pair, times, strict=True)
            ]
        if plan.form == APPENDED:
            before = plan.spelled and not behind
            counts = [plan.heads if before or not n else plan.heads // n for n in times]
            pair = [self.appended(y, n) for y, n in zip(pair, counts, strict=True)]
        if behind:
            pair = [self.repeated(y, n, True) if n else y for y, n in zip(pair, times, strict=True)]
        y = self.attend("SDPA", [q, *pair], {6: plan.scale})
        y = layer("Reshape", layer("Permute", y, {0: 2}), {0: plan.width, 1: plan.exported or -1})
        return self.linear(y, plan.width, plan.width)

    def appended(self, new: str, heads: int) -> str:
        """The joined heads of past and new steps."""
        past = self.sketch.input((self.plan.heads, 2, self.plan.features), False)
        pair = [new, past] if self.plan.miss == "newest first" else [past, new]
        every = self.sketch.layer("Concat", pair, {0: 1})
        self.past_heads[past] = heads
        self.sketch.also_outputs.append(every)
        self.caches[past] = f"{every}_0"  # a Split makes the output
        self.disturb(past, every)
        return every

    def disturb(self, past: str, every: str) -> None:
        """Read a cache elsewhere, in near misses."""
        if self.plan.miss == "read":
            self.sketch.layer("AbsVal", past)
        if self.plan.miss == "shown":
            self.sketch.layer("AbsVal", every)

    def attend(
        self,
        kind: str,
        sequences: Sequence[str],
        params: Params,
        weigh: Weigh = nothing,
        crosses: bool = False,
    ) -> str:
        """An attention layer, with a cache if it has one in this form."""
        crosses = crosses or self.encoded in sequences
        masks = [self.attn_mask] if self.attn_mask and not crosses else []
        number, self.attentions = self.attentions, self.attentions + 1
        packed = kind == "MultiHeadAttention" and self.plan.heads % 4 == 0
        grows = not crosses or (kind == "MultiHeadAttention" and not packed)
        if grows:
            self.cached.append(number)
        elif kind == "SDPA":
            self.crossed.append(number)
        params = {**params, 5: len(masks)}
        if self.plan.form != CACHED or not grows:
            return self.sketch.layer(kind, [*sequences, *masks], params, weigh)
        past = [self.sketch.input((self.plan.heads, 2, self.plan.features), False) for _ in "kv"]
        y, *every = self.sketch.cut(kind, [*sequences, *masks, *past], 3, {**params, 7: 1}, weigh)
        for before, after in zip(past, every, strict=True):
            self.caches[before] = after
            if self.plan.miss == "shown":
                self.sketch.also_outputs.append(after)
                self.caches[before] = f"{after}_0"
            self.disturb(before, after)
        return y

    def multihead(self, x: str) -> str:
        """Self-attention by a MultiHeadAttention."""
        spelled = self.plan.form == WHOLE and self.plan.seed % 2
        sequences = [x, x, x] if spelled else [x]
        if self.plan.miss == "separate":
            sequences = [x, self.sketch.layer("AbsVal", x), x]
        return self.attend_by_heads(sequences)

    def attend_by_heads(self, sequences: Sequence[str]) -> str:
        width = self.plan.width
        weights = [self.weight(*n, bias=len(n) == 1) for n in 4 * [(width, width), (width,)]]

        def weigh(net: Net) -> None:
            for each in weights:
                each(net)

        params: Params = {0: width, 1: self.plan.heads, 2: width * width}
        return self.attend("MultiHeadAttention", sequences, params, weigh)

    def cross(self, x: str) -> str:
        """Cross-attention."""
        if self.plan.cross == "MultiHeadAttention":
            return self.attend_by_heads([x, self.encoded, self.encoded])
        q = self.heads_of(x, self.plan.heads)
        k, v = (
            self.repeated(self.heads_of(self.encoded, self.plan.groups), self.plan.times, True)
            for _ in "kv"
        )
        y = self.attend("SDPA", [q, k, v], {6: self.plan.scale}, crosses=True)
        y = self.sketch.layer("Permute", y, {0: 2})
        y = self.sketch.layer("Reshape", y, {0: self.plan.width, 1: self.plan.exported or -1})
        return self.linear(y, self.plan.width, self.plan.width)
