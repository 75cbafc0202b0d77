"""Models of any shape of graph: layers that read each other's blobs in all ways, with a Split
wherever a blob has several readers. Every blob has 4 x 5 x 6 values, but for those between a Slice
and a Concat."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from hypothesis import strategies as st

from .nets import PLAIN, Dress, Net, Params, Shape

SHAPE: Shape = (4, 5, 6)

UNARY: dict[str, Params] = {
    "ReLU": {0: 0.1},
    "Sigmoid": {},
    "AbsVal": {},
    "Dropout": {0: 0.5},
    "Noop": {},
    "Pooling": {1: 3, 3: 1, 5: 1},
    "Convolution": {0: 4, 1: 3, 4: 1, 5: 1, 6: 144},
    "BatchNorm": {0: 4},
}
BINARY: dict[str, Params] = {"BinaryOp": {0: 0}, "Eltwise": {0: 1}}
SLICE: Params = {0: (2, -233)}
KINDS = (*UNARY, *UNARY, *BINARY, *BINARY, "MemoryData", "Slice")


@dataclass(frozen=True)
class Node:
    """A layer, with the blobs that it reads as numbers of those that were made before it."""

    kind: str
    reads: tuple[int, ...]
    makes: tuple[int, ...]

    @property
    def name(self) -> str:
        """The layer's name, unlike that of any blob."""
        return f"layer{self.makes[0]}"


@dataclass
class Graph:
    """A graph of layers. What a blob's readers read may be a blob of a Split instead of itself."""

    nodes: list[Node] = field(default_factory=list[Node])
    blobs: int = 0

    def add(self, kind: str, reads: Sequence[int], makes: int = 1) -> tuple[int, ...]:
        """A further layer; returns the blobs that it makes."""
        made = tuple(range(self.blobs, self.blobs + makes))
        self.blobs += makes
        self.nodes.append(Node(kind, tuple(reads), made))
        return made

    def after(self, start: Node) -> set[str]:
        """The layers that depend on one, and itself."""
        names, blobs = {start.name}, set(start.makes)
        for node in self.nodes:
            if node is start or blobs & set(node.reads):
                names.add(node.name)
                blobs.update(node.makes)
        return names

    def before(self, end: Node) -> set[str]:
        """The layers that one needs, and itself."""
        names, blobs = {end.name}, set(end.reads)
        for node in reversed(self.nodes):
            if blobs & set(node.makes):
                names.add(node.name)
                blobs.update(node.reads)
        return names

    def constants(self) -> set[str]:
        """The layers that depend on no input."""
        names, blobs = set[str](), set[int]()
        for node in self.nodes:
            if node.kind != "Input" and blobs.issuperset(node.reads):
                names.add(node.name)
                blobs.update(node.makes)
        return names

    def build(self, dress: Dress = PLAIN) -> Net:
        """The model."""
        net = Net(len(self.nodes), dress)
        readers = [0] * self.blobs
        for node in self.nodes:
            for blob in node.reads:
                readers[blob] += 1
        names: dict[int, list[str]] = {}
        for node in self.nodes:
            bottoms = [names[i].pop() for i in node.reads]
            tops = add_layer(net, node, bottoms)
            for blob, top in zip(node.makes, tops, strict=True):
                names[blob] = [top]
                if readers[blob] > 1:
                    names[blob] = [f"{top}_{i}" for i in range(readers[blob])]
                    net.layer("Split", top, names[blob], name=f"split{blob}")
        return net


def add_layer(net: Net, node: Node, bottoms: Sequence[str]) -> list[str]:
    """The line and the weights of a layer; returns the blobs that it makes."""
    tops = [f"blob{i}" for i in node.makes]
    match node.kind:
        case "Input":
            return [net.input(tops[0], SHAPE, layer=node.name)]
        case "MemoryData":
            return [net.constant(tops[0], net.normal(*SHAPE), layer=node.name)]
        case "Slice":
            net.layer("Slice", bottoms, tops, SLICE, name=node.name)
        case "Concat":
            net.layer("Concat", bottoms, tops, {0: 0}, name=node.name)
        case kind:
            if kind == "Convolution":
                net.tagged(net.normal(4, 4, 3, 3, scale=0.2))
                net.plain(net.normal(4))
            if kind == "BatchNorm":
                for values in (net.positive(4), net.normal(4), net.positive(4), net.normal(4)):
                    net.plain(values)
            params = {**UNARY, **BINARY}[kind]
            net.layer(kind, bottoms, tops, params, name=node.name)
    return tops


@st.composite
def graphs(draw: st.DrawFn, most: int = 14) -> Graph:
    """A graph of two inputs and up to that many layers; a Slice brings a Concat with it."""
    graph = Graph()
    blobs = [graph.add("Input", ())[0], graph.add("Input", ())[0]]

    def pick() -> int:  # one of the last, more often than not: deep graphs
        return blobs[-1 - draw(st.sampled_from((0, 0, 0, 1, 2, 3, 5, 8))) % len(blobs)]

    for _ in range(draw(st.integers(3, most))):
        kind = draw(st.sampled_from(KINDS))
        if kind == "MemoryData":
            blobs += graph.add(kind, ())
        elif kind == "Slice":
            upper, lower = graph.add(kind, (pick(),), 2)
            if draw(st.booleans()):
                (upper,) = graph.add("ReLU", (upper,))
            if draw(st.booleans()):  # else the lower half is an output
                blobs += graph.add("Concat", (upper, lower))
            else:
                blobs += graph.add("Concat", (upper, upper))
        elif kind in BINARY:
            blobs += graph.add(kind, (pick(), pick()))
        else:
            blobs += graph.add(kind, (pick(),))
    return graph
