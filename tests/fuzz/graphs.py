"""Changes to a model rather than to its bytes: most of what comes out is read, and reaches `-O`."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from random import Random

from ncnn_opt.dialects.ncnn import BY_TYPE
from ncnn_opt.dialects.ncnn.params import Param, ParamKind
from ncnn_opt.formats.errors import FormatError
from ncnn_opt.formats.graph import Graph, LayerRecord, ParamValue
from ncnn_opt.formats.param_text import read_param_text, write_param_text

INTS = (0, 1, -1, 2, 3, 4, 5, 8, 16, 17, 64, 100, 255, 1024, 8193, 65536, 1000000, -2, -100)
HUGE = (16777217, 0x7FFFFFFF, -0x80000000, -233, -234, 2147483646)
FLOATS = (0.0, 1.0, -1.0, 0.5, 2.0, 6.0, 1e-5, 1e-38, 3e38, -3e38, 16777217.0)

MOST_LAYERS = 40
"""A model does not grow beyond so many."""

_EXTENT_IDS = (0, 1, 2, 11)
_HINTS = 30


@lru_cache(4096)
def parse(text: bytes) -> Graph | None:
    """The graph of a `.param`, `None` of what is none. Not to be changed."""
    try:
        return read_param_text(text, "seed")
    except FormatError:
        return None


def render(graph: Graph) -> bytes | None:
    """The `.param` of a graph, `None` if it has none."""
    try:
        return write_param_text(graph).encode()
    except FormatError:
        return None


class GraphMutator:
    """Makes a graph of a graph, with pieces of others."""

    def __init__(self, corpus: Sequence[bytes], random: Random) -> None:
        self.corpus = corpus
        self.random = random

    def mutate(self, graph: Graph) -> Graph:
        """One to four changes."""
        layers = [replace(r, params=dict(r.params), line=None) for r in graph.layers]
        changes: list[Callable[[list[LayerRecord]], None]] = [
            self.change_param,
            self.change_param,
            self.change_param,
            self.change_shape,
            self.drop_layer,
            self.insert_layer,
            self.insert_layer,
            self.repeat_layer,
            self.rewire,
            self.change_type,
            self.splice,
        ]
        for _ in range(self.random.choice((1, 1, 2, 3, 4))):
            self.random.choice(changes)(layers)
        return Graph(layers[:MOST_LAYERS])

    def other(self) -> Graph:
        """A graph of the corpus."""
        for _ in range(8):
            if (graph := parse(self.random.choice(self.corpus))) is not None:
                return graph
        return Graph()

    # -- single changes, in place

    def change_param(self, layers: list[LayerRecord]) -> None:
        """Another value for a parameter, one more, one less, or that of a layer like it."""
        if not layers:
            return
        record = self.random.choice(layers)
        if record.params and self.random.random() < 0.15:
            del record.params[self.random.choice(list(record.params))]
            return
        if self.random.random() < 0.2:
            alike = [r for r in self.other().layers if r.type == record.type and r.params]
            if alike:
                record.params.update(self.random.choice(alike).params)
                return
        cls = BY_TYPE.get(record.type)
        declared = [] if cls is None else [(p.id, p) for p in cls.PARAMS.values()]
        if not declared or (record.params and self.random.random() < 0.4):
            declared = [(id, None) for id in record.params] or [(self.random.randrange(20), None)]
        id, param = self.random.choice(declared)
        old = record.params.get(id)
        kind = param.kind if isinstance(param, Param) else ParamKind.INT
        record.params[id] = self.value(kind, old)

    def value(self, kind: ParamKind, old: ParamValue | None) -> ParamValue:
        """A value near the old one, or of this kind."""
        random = self.random
        if old is not None and random.random() < 0.7:
            if old.kind in ("int", "word"):
                return ParamValue.of_int(self.number(old.words[0]))
            if old.kind == "float":
                return ParamValue.of_float(self.random.choice(FLOATS))
            if old.is_array and old.words:
                at = random.randrange(len(old.words))
                pairs = list(zip(old.words, old.float_flags or (False,) * 99, strict=False))
                pairs[at] = (self.number(pairs[at][0]), pairs[at][1])
                if random.random() < 0.3:
                    del pairs[at]
                elif random.random() < 0.2:
                    pairs.insert(at, pairs[at])
                return ParamValue("array", tuple(w for w, _ in pairs), tuple(f for _, f in pairs))
            if old.is_str and old.text:
                return ParamValue.of_str(self.text(old.text))
        match kind:
            case ParamKind.INT:
                return ParamValue.of_int(self.number(1))
            case ParamKind.FLOAT:
                return ParamValue.of_float(random.choice(FLOATS))
            case ParamKind.INTS:
                return ParamValue.of_ints(self.number(1) for _ in range(random.randrange(5)))
            case ParamKind.FLOATS:
                return ParamValue.of_floats(random.choice(FLOATS) for _ in range(3))
            case ParamKind.STR:
                return ParamValue.of_str(random.choice(("0w,0h", "+(0w,1)", "*(0w,2),0h", "1", "")))

    def number(self, old: int) -> int:
        """An int32: near the old one, a small one, seldom a huge one."""
        draw = self.random.random()
        if draw < 0.35:
            return max(min(old + self.random.choice((-1, 1)), 0x7FFFFFFF), -0x80000000)
        return self.random.choice(INTS if draw < 0.93 else HUGE)

    def text(self, old: str) -> str:
        """A string with a character left out, doubled or changed."""
        at = self.random.randrange(len(old))
        new = self.random.choice(("", old[at] * 2, *"019,()+-*/wh", "99999999999"))
        return (old[:at] + new + old[at + 1 :])[:250]

    def change_shape(self, layers: list[LayerRecord]) -> None:
        """Another extent of an input or a constant, one axis less, or other shape hints."""
        found = [r for r in layers if r.type in ("Input", "MemoryData") or _HINTS in r.params]
        if not found:
            return
        record = self.random.choice(found)
        if record.type not in ("Input", "MemoryData"):
            record.params[_HINTS] = self.value(ParamKind.INTS, record.params[_HINTS])
            return
        id = self.random.choice(_EXTENT_IDS)
        if id in record.params and self.random.random() < 0.2:
            del record.params[id]
        else:
            old = record.params.get(id)
            near = old.words[0] if old is not None and old.words else 1
            record.params[id] = ParamValue.of_int(self.number(near))

    def drop_layer(self, layers: list[LayerRecord]) -> None:
        """Those that read its blobs read its first input instead."""
        found = [i for i, r in enumerate(layers) if r.bottoms and r.tops]
        if not found:
            return
        at = self.random.choice(found)
        gone = layers.pop(at)
        names = dict.fromkeys(gone.tops, gone.bottoms[0])
        for i in range(at, len(layers)):
            bottoms = tuple(names.get(b, b) for b in layers[i].bottoms)
            layers[i] = replace(layers[i], bottoms=bottoms)

    def insert_layer(self, layers: list[LayerRecord]) -> None:
        """A layer of another model behind a blob."""
        found = [r for r in self.other().layers if len(r.bottoms) == 1 and len(r.tops) == 1]
        if found:
            self._behind(layers, self.random.choice(found))

    def repeat_layer(self, layers: list[LayerRecord]) -> None:
        """A layer once more, behind a blob."""
        found = [r for r in layers if len(r.bottoms) == 1 and len(r.tops) == 1]
        if found:
            self._behind(layers, self.random.choice(found))

    def _behind(self, layers: list[LayerRecord], record: LayerRecord) -> None:
        places = [i for i, r in enumerate(layers) if r.tops]
        if not places:
            return
        at = self.random.choice(places)
        blob = self.random.choice(layers[at].tops)
        new = self._fresh(layers, blob)
        for i in range(at + 1, len(layers)):
            bottoms = tuple(new if b == blob else b for b in layers[i].bottoms)
            layers[i] = replace(layers[i], bottoms=bottoms)
        added = LayerRecord(record.type, new, (blob,), (new,), dict(record.params))
        layers.insert(at + 1, added)

    def _fresh(self, layers: Iterable[LayerRecord], stem: str) -> str:
        taken = {blob for r in layers for blob in r.tops}
        name = stem[:200]
        while name in taken:
            name = f"{name}{self.random.randrange(100)}"
        return name

    def rewire(self, layers: list[LayerRecord]) -> None:
        """Another blob, made before, for an input of a layer."""
        found = [i for i, r in enumerate(layers) if r.bottoms]
        if not found:
            return
        at = self.random.choice(found)
        blobs = [blob for r in layers[:at] for blob in r.tops]
        if blobs:
            bottoms = list(layers[at].bottoms)
            bottoms[self.random.randrange(len(bottoms))] = self.random.choice(blobs)
            layers[at] = replace(layers[at], bottoms=tuple(bottoms))

    def change_type(self, layers: list[LayerRecord]) -> None:
        """A layer of another type, with as many inputs and outputs; or constants for an input."""
        if not layers:
            return
        at = self.random.randrange(len(layers))
        old = layers[at]
        if old.type in ("Input", "MemoryData"):
            kind = self.random.choice(("Input", "MemoryData", "MemoryData"))
            layers[at] = replace(old, type=kind)
            return
        arity = len(old.bottoms), len(old.tops)
        alike = [r for r in self.other().layers if (len(r.bottoms), len(r.tops)) == arity]
        if alike:
            new = self.random.choice(alike)
            layers[at] = replace(old, type=new.type, params=dict(new.params))

    def splice(self, layers: list[LayerRecord]) -> None:
        """Another model behind this one, its inputs fed by blobs of this."""
        blobs = [blob for r in layers for blob in r.tops]
        names: dict[str, str] = {}
        for record in self.other().layers:
            if record.type == "Input" and blobs and self.random.random() < 0.8:
                names.update((top, self.random.choice(blobs)) for top in record.tops)
                continue
            tops: list[str] = []
            for top in record.tops:
                names[top] = self._fresh(layers, top)
                tops.append(names[top])
            bottoms = tuple(names.get(b, b) for b in record.bottoms)
            added = LayerRecord(record.type, record.name, bottoms, tuple(tops), dict(record.params))
            layers.append(added)
