"""Drawing Gemm layers of a blob and a constant matrix, with everything that can vary in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from .nets import Net, Number, Shape
from .producers import Lead, storages

RIGHT, LEFT = "Gemm with a constant B", "Gemm with a constant A"
GEMMS = (RIGHT, LEFT)


@dataclass(frozen=True)
class Gemm:
    """A Gemm with its inputs; its channels are the columns of a constant B, or the rows of a
    constant A."""

    kind: str
    params: Mapping[int, Number]
    inputs: tuple[Shape, ...]
    """The blob, and perhaps C."""
    declared: bool
    """Whether the file says the extents of the inputs."""
    weight: Shape
    c: Shape | None
    """The shape of a constant C."""
    storage: str
    output: Shape
    innermost: bool
    """Whether the channels of the output are along w."""

    @property
    def outermost_are_channels(self) -> bool:
        """Whether the output has its channels along the outermost axis."""
        return not self.innermost

    @property
    def innermost_are_channels(self) -> bool:
        """Whether the output has its channels along w."""
        return self.innermost

    @property
    def is_linear(self) -> bool:
        """Whether a scale and a shift a channel fit in."""
        return len(self.inputs) == 1 and (self.c is None or self.params[10] in self._fitting)

    @property
    def _fitting(self) -> Sequence[int]:
        """The shapes of C, as the parameter says them, that have a value a channel or one."""
        return (0, 4) if self.kind == RIGHT else (0, 1, 2)

    @property
    def has_place_for_activation(self) -> bool:
        """It has none."""
        return False

    def gains_by(self, activation: str) -> bool:
        """It has no place for any."""
        return False

    @property
    def rank_is_known(self) -> bool:
        """Parameters tell it."""
        return True

    def add_to(self, net: Net, lead: Lead = lambda net, x: x) -> str:
        """Appends the layer and its inputs, and what leads to it; returns its blob."""
        names = [net.input(f"in{i}", s, self.declared) for i, s in enumerate(self.inputs)]
        names[0] = lead(net, names[0])
        net.tagged(net.normal(*self.weight, scale=0.5), self.storage)
        if self.c is not None:
            net.tagged(net.normal(*self.c))
        return net.layer("Gemm", names, "linear", self.params)


@st.composite
def gemms(draw: st.DrawFn, kind: str) -> Gemm:
    """A Gemm of this kind."""
    m, n, k = (draw(st.integers(1, 6)) for _ in range(3))
    right, turned = kind == RIGHT, {side: draw(st.booleans()) for side in "AB"}
    params: dict[int, Number] = {
        0: draw(st.sampled_from([1.0, 1.0, 0.5, -2.0])),
        1: draw(st.sampled_from([1.0, 1.0, 0.25, 0.0])),
        2: int(turned["A"]),
        3: int(turned["B"]),
        5 if right else 4: 1,
        9: k,
    }
    params |= {8: n} if right else {7: m}
    shapes = {"A": (k, m) if turned["A"] else (m, k), "B": (n, k) if turned["B"] else (k, n)}
    blob, weight = (shapes["A"], shapes["B"]) if right else (shapes["B"], shapes["A"])
    if draw(st.integers(0, 3)) == 0:
        blob = (blob[0], 1, blob[1])
    inputs, c = [blob], None
    match draw(st.sampled_from(["none", "none", "constant", "constant", "blob"])):
        case "constant":
            place = draw(st.integers(-1, 4))
            params |= {6: 1, 10: place, 7: m, 8: n}
            c = {0: (1,), 1: (m,), 2: (m, 1), 3: (m, n), 4: (1, n)}.get(place)
        case "blob":
            inputs.append(draw(st.sampled_from([(m, n), (1, n), (m, 1)])))
        case _:
            pass
    rows, columns = m, n
    if draw(st.integers(0, 2)) == 0:
        params[14] = 1
        rows, columns = n, m
    middle: Shape = ()
    if draw(st.integers(0, 3)) == 0:
        params[11] = 1
        middle = (1,)
    return Gemm(
        kind,
        params,
        tuple(inputs),
        draw(st.integers(0, 3)) > 0,
        weight,
        c,
        draw(storages()),
        (rows, *middle, columns),
        right != (14 in params),
    )
