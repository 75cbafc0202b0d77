"""Drawing what comes after a linear layer, and what must become of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from .gemms import GEMMS, Gemm, gemms
from .nets import PLAIN, Dress, Net, Number, Shape
from .producers import FORWARD, INNER_PRODUCTS, TRANSPOSED, Producer, producers

ADD, SUB, MUL, DIV, MAX, MIN, RSUB, RDIV = 0, 1, 2, 3, 4, 5, 7, 8
"""BinaryOp's `op_type`."""

UNIFORM, CHANNELS, COLUMNS = "uniform", "channels", "columns"
"""A scale and shift: one for all, or for each index of the outermost or innermost axis."""
ACTIVATION, IDENTITY, OTHER = "activation", "identity", "other"

LINEAR = (*FORWARD, *TRANSPOSED, *INNER_PRODUCTS, *GEMMS)
"""All kinds of linear layers."""

NORMS = ("BatchNorm", "Scale")
"""Layers that can take in another scale and shift."""


@dataclass(frozen=True)
class Follower:
    """An element-wise layer."""

    kind: str
    effect: str
    """What it does."""
    params: Mapping[int, Number]
    add_weights: Callable[[Net], None] = lambda net: None
    needs_rank: bool = False
    """Whether what it does depends on how many dims its input has."""
    constant: Shape | None = None
    """For a BinaryOp with a MemoryData: its shape."""
    constant_first: bool = False

    def add_to(self, net: Net, x: str, name: str) -> str:
        """Appends the layer; returns its blob."""
        bottoms = [x]
        if self.constant is not None:
            values = net.positive(*self.constant)  # nothing is divided by 0
            bottoms.insert(0 if self.constant_first else 1, net.constant(f"{name}_c", values))
        self.add_weights(net)
        return net.layer(self.kind, bottoms, name, self.params)


@dataclass(frozen=True)
class Model:
    """A linear layer, what follows it, and perhaps a second reader of a value on the way."""

    producer: Producer | Gemm
    followers: tuple[Follower, ...]
    shared_after: int | None
    """The value after this many followers is read twice, or also an output."""
    is_output: bool
    seed: int

    def build(self, dress: Dress = PLAIN) -> Net:
        """The model as files."""
        net = Net(self.seed, dress)
        x = self.producer.add_to(net)
        x = self._share(net, x, 0)
        for i, follower in enumerate(self.followers, 1):
            x = follower.add_to(net, x, f"f{i}")
            x = self._share(net, x, i)
        return net

    def _share(self, net: Net, x: str, place: int) -> str:
        if place != self.shared_after:
            return x
        net.layer("Split", x, ["split_a", "split_b"])
        if not self.is_output:
            net.layer("AbsVal", "split_b", "other")
        return "split_a"

    def layers(self) -> int:
        """How many layers there are, Input and Split not counted."""
        constants = sum(f.constant is not None for f in self.followers)
        other = self.shared_after is not None and not self.is_output
        return 1 + len(self.followers) + constants + other

    def most_left(self) -> int:
        """How many of these may be left after `-O`. (Values show whether it is too few.)"""
        left = self.layers()
        producer = self.producer
        linear, place = producer.is_linear, producer.has_place_for_activation
        before: Follower | None = None  # the last layer that need not have gone
        shared = self.shared_after == 0
        for i, follower in enumerate(self.followers, 1):
            last = i == len(self.followers)
            if follower.effect == IDENTITY:
                # Where a value is an output under its own name and another, a layer without effect
                # may give it the other one, or a Split.
                left -= not (shared and last)
                shared = shared or self.shared_after == i
                continue
            goes = False
            if not shared and before is None:
                activation = follower.effect == ACTIVATION
                goes = (
                    place and producer.gains_by(follower.kind)
                    if activation
                    else linear and self._fits(follower)
                )
                if goes and activation:
                    linear = place = False
            elif not shared and before is not None:
                goes = _compose(before, follower)
            if goes:
                left -= 1 + (follower.constant is not None)
            else:
                before = follower
            shared = self.shared_after == i
        return left

    def _fits(self, follower: Follower) -> bool:
        """Whether the linear layer has a place for a scale and shift of this kind."""
        producer = self.producer
        if follower.needs_rank and not producer.rank_is_known:
            return False
        match follower.effect:
            case "uniform":
                return True
            case "channels":
                return producer.outermost_are_channels
            case "columns":
                return producer.innermost_are_channels
            case _:
                return False


def _compose(first: Follower, second: Follower) -> bool:
    """Whether two scales and shifts certainly become one."""
    if second.needs_rank or first.needs_rank:
        return False
    if first.kind in NORMS:
        return second.effect in (UNIFORM, CHANNELS)
    return first.effect == UNIFORM and second.kind in NORMS


def linear_layers(kind: str) -> st.SearchStrategy[Producer | Gemm]:
    """A linear layer of this kind, of `LINEAR`."""
    return gemms(kind) if kind in GEMMS else producers(kind)


@st.composite
def models(draw: st.DrawFn, kind: str) -> Model:
    """A model of one linear layer of this kind and one to three followers."""
    first = draw(linear_layers(kind))
    shape = first.output
    chain: list[Follower] = []
    for i in range(draw(st.sampled_from([1, 1, 2, 3]))):
        follower, shape = draw(followers(shape, first=i == 0))
        chain.append(follower)
    place = st.one_of(st.none(), st.none(), st.none(), st.integers(0, len(chain) - 1))
    return Model(first, tuple(chain), draw(place), draw(st.booleans()), draw(st.integers(0, 999)))


@st.composite
def chains(draw: st.DrawFn, shape: Shape, most: int) -> tuple[Follower, ...]:
    """One to so many layers that keep a shape, mostly scales and shifts."""
    chain: list[Follower] = []
    for _ in range(draw(st.integers(1, most))):
        follower, result = draw(followers(shape, first=False))
        scales = follower.effect in (UNIFORM, CHANNELS, COLUMNS)
        if result == shape and (scales or draw(st.integers(0, 2)) == 0):
            chain.append(follower)
        else:
            chain.append(draw(normalizations(shape, first=False)))
    return tuple(chain)


@st.composite
def followers(draw: st.DrawFn, shape: Shape, first: bool) -> tuple[Follower, Shape]:
    """A layer for a blob of this shape, and the shape of what it gives."""
    # Division by a value near 0 blows up the rounding of what was folded before it.
    divides = [RDIV] if first else []
    kind = draw(st.sampled_from(["normalize", "uniform", "scalar", "memory", "activation", "rest"]))
    if kind == "normalize":
        return draw(normalizations(shape, first)), shape
    if kind == "uniform":
        uniform = [
            Follower("Dropout", UNIFORM, {0: 0.75}),
            Follower("Dropout", IDENTITY, {}),
            Follower("Power", UNIFORM, {1: -1.5, 2: 0.25}),
            Follower("Power", UNIFORM, {0: 1.0, 2: 0.25}),
            Follower("Power", OTHER, {0: 2.0, 1: 0.5, 2: 0.25}),
        ]
        return draw(st.sampled_from(uniform)), shape
    if kind == "scalar":
        op = draw(st.sampled_from([ADD, SUB, MUL, DIV, RSUB, MAX, MIN, *divides]))
        effect = {MAX: OTHER, MIN: OTHER, RDIV: OTHER}.get(op, UNIFORM)
        value = draw(st.sampled_from([0.5, -2.0, 1.25]))
        if op == MAX and draw(st.booleans()):
            effect, value = ACTIVATION, 0.0
        return Follower("BinaryOp", effect, {0: op, 1: 1, 2: value}), shape
    if kind == "memory":
        return draw(with_memory(shape, divides))
    if kind == "activation":
        fusable = [
            Follower("ReLU", ACTIVATION, {}),
            Follower("ReLU", ACTIVATION, {0: 0.125}),
            Follower("Clip", ACTIVATION, {0: -0.5, 1: 0.75}),
            Follower("Clip", ACTIVATION, {1: 1.0}),
            Follower("Sigmoid", ACTIVATION, {}),
            Follower("Mish", ACTIVATION, {}),
            Follower("HardSwish", ACTIVATION, {0: 0.25}),
        ]
        return draw(st.sampled_from(fusable)), shape
    others = ["TanH", "Swish", "ELU", "AbsVal", "Noop"]
    name = draw(st.sampled_from(others))
    return Follower(name, IDENTITY if name == "Noop" else OTHER, {}), shape


@st.composite
def normalizations(draw: st.DrawFn, shape: Shape, first: bool) -> Follower:
    """BatchNorm, Scale or Bias with weights for the outermost axis."""
    n = shape[0]
    kind = draw(st.sampled_from(["BatchNorm", "Scale", "Bias"]))
    if kind == "BatchNorm":
        dead = first and draw(st.integers(0, 3)) == 0  # twice is too much for float32

        def statistics(net: Net) -> None:
            net.plain(net.normal(n))
            net.plain(net.normal(n))
            variance = net.positive(n)
            if dead:
                variance[0] = 0  # a channel that was constant in training
            net.plain(variance)
            net.plain(net.normal(n))

        return Follower(kind, CHANNELS, {0: n, 1: 0.0 if dead else 1e-5}, statistics)
    if kind == "Scale":
        biased = draw(st.booleans())

        def factors(net: Net) -> None:
            for _ in range(1 + biased):
                net.plain(net.normal(n))

        return Follower(kind, CHANNELS, {0: n, 1: int(biased)}, factors)
    effect = CHANNELS if len(shape) > 2 else UNIFORM
    return Follower(kind, effect, {0: n}, lambda net: net.plain(net.normal(n)), needs_rank=True)


@st.composite
def with_memory(draw: st.DrawFn, shape: Shape, divides: Sequence[int]) -> tuple[Follower, Shape]:
    """A BinaryOp whose one operand is a constant, of a shape that is per channel, or looks so."""
    rank, n = len(shape), shape[0]
    ones = (1,) * rank
    constants = [
        (n,),
        (n,),
        (n, *ones[1:]),
        (1,),
        ones,
        (shape[-1],),
        (*ones[1:], shape[-1]),
        shape,
    ]
    if rank > 2:
        constants += [(n, 1), (1, shape[1], *ones[2:])]
    if rank < 4:
        constants.append((n, *ones))
    if n == 1:
        constants += [(3, *ones[1:])] * 4
    constant = draw(st.sampled_from(constants))
    first = draw(st.booleans())
    # op(constant, x) is the reversed op of (x, constant).
    op = draw(st.sampled_from([ADD, SUB, MUL, RSUB, MAX, RDIV if first else DIV]))
    if divides and draw(st.integers(0, 5)) == 0:
        op = DIV if first else RDIV
    spread, result = broadcast(constant, shape)
    effect = OTHER
    if op != MAX and op != (DIV if first else RDIV) and result == shape:
        effect = effect_of(spread, len(constant))
    follower = Follower(
        "BinaryOp", effect, {0: op}, needs_rank=True, constant=constant, constant_first=first
    )
    return follower, result


def effect_of(spread: Shape, dims: int) -> str:
    """What a factor or summand of this shape does, that had so many dims before it was spread."""
    if all(n == 1 for n in spread):
        return UNIFORM
    if all(n == 1 for n in spread[1:]):
        return CHANNELS
    # One dim alone is the innermost only where the outermost has not as many elements, and how many
    # that has is not certain.
    return COLUMNS if all(n == 1 for n in spread[:-1]) and dims > 1 else OTHER


def broadcast(a: Shape, b: Shape) -> tuple[Shape, Shape]:
    """The first shape as BinaryOp (src/layer/binaryop.cpp) expands it for the second, and the
    shape of the result."""
    wide, other = expand(a, b), expand(b, a)
    return wide, tuple(max(m, n) for m, n in zip(wide, other, strict=True))


def expand(a: Shape, b: Shape) -> Shape:
    """A shape with as many dims as another: the missing ones are inner, except that one dim alone
    is the innermost if it is not as long as the other's outermost."""
    more = (1,) * (len(b) - len(a))
    return (*more, *a) if len(a) == 1 and a != b[:1] else (*a, *more)
