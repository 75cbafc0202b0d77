"""Drawing what comes before a linear layer."""

from dataclasses import dataclass

from hypothesis import strategies as st

from .followers import Follower, chains, linear_layers
from .gemms import Gemm
from .nets import PLAIN, Dress, Net
from .producers import Producer


@dataclass(frozen=True)
class Model:
    """One or two layers, perhaps with a second reader between, and then a linear one."""

    leaders: tuple[Follower, ...]
    producer: Producer | Gemm
    shared_after: int | None
    """The value after this many leaders is an output as well."""
    seed: int

    def build(self, dress: Dress = PLAIN) -> Net:
        """The model as files."""
        net = Net(self.seed, dress)
        self.producer.add_to(net, self._lead)
        return net

    def _lead(self, net: Net, x: str) -> str:
        for i, leader in enumerate(self.leaders, 1):
            x = leader.add_to(net, x, f"l{i}")
            if i == self.shared_after:
                net.layer("Split", x, ["split_a", "split_b"])
                x = "split_a"
        return x


@st.composite
def models(draw: st.DrawFn, kind: str) -> Model:
    """A model that ends in a linear layer of this kind."""
    producer = draw(linear_layers(kind))
    leaders = draw(chains(producer.inputs[0], 2))
    shared = draw(st.integers(0, 4)) == 0
    place = draw(st.integers(1, len(leaders))) if shared else None
    return Model(leaders, producer, place, draw(st.integers(0, 999)))
