"""Causal models of `transformers` as the parts of a bundle: the embedding of tokens, the layers of
the decoder, and the head."""

import inspect
from collections.abc import Sequence
from copy import copy
from typing import Any, NamedTuple

import numpy as np

from ...interpreters.source.source_steps import as_array, torch
from ...runtime.host import Array
from ..errors import UsageError
from .manifest import BundleInput, RotaryAngles, causal_mask, plain_frequencies

FULL, SLIDING = "full_attention", "sliding_attention"
"""The types of attention layers that a mask can express."""

POSITIONS = ("wpe", "embed_positions")
"""The attributes of decoders that hold learned positions."""

PROBED = 64
"""The number of positions whose tables are compared with computed ones."""

ENCODED = 11
"""The rows of the encoder's output in the example."""


class Angles(NamedTuple):
    """The rotation of a type of layers."""

    rotation: RotaryAngles
    theta: float | None
    """The base of the angles, if they are plain."""


class CausalModel:
    """A causal language model, or the decoder of a model with an encoder."""

    def __init__(self, model: Any) -> None:
        """Raises `UsageError` for a model that has no such parts."""
        self.model = model
        parts = ("get_decoder", "get_input_embeddings", "get_output_embeddings")
        if not all(callable(getattr(model, name, None)) for name in parts):
            raise UsageError("the model is no causal language model of transformers")
        self.base = model.get_decoder()
        self.config = self.base.config
        self.head = model.get_output_embeddings()
        self.embedding = self.base.get_input_embeddings()
        if self.head is None or self.embedding is None:
            raise UsageError(
                f"{type(model).__name__} has no embedding or no head; export_decoder takes causal "
                "language models (…ForCausalLM)"
            )
        self.crosses = hasattr(self.base, "layers") and any(
            hasattr(layer, "encoder_attn") for layer in self.base.layers
        )
        self.types = self._layer_types()
        self.angles = [self._angles(each) for each in self.types] if self._rotary() else []

    @property
    def width(self) -> int:
        """The features of a step."""
        return self.embedding.weight.shape[1]

    def _layer_types(self) -> list[str | None]:
        """Return the types of attention layers, each once. Raises `UsageError`."""
        count = getattr(self.config, "num_hidden_layers", None)
        every: list[str | None] = getattr(self.config, "layer_types", None) or [None]
        types = [*dict.fromkeys(every[:count])]
        if others := [each for each in types if each not in (None, FULL, SLIDING)]:
            raise UsageError(
                f"{type(self.model).__name__}: layers of type '{others[0]}' are not supported, "
                "only attention to all steps or to a window of steps"
            )
        return types

    def _rotary(self) -> Any:
        return getattr(self.base, "rotary_emb", None)

    def window(self, type_: str | None) -> int | None:
        """Return the number of steps that layers of a type see; `None`: all."""
        window = getattr(self.config, "sliding_window", None)
        return None if type_ == FULL else window

    def _turns(self, type_: str | None, count: int) -> tuple[Array, Array]:
        """Return the cosines and sines of the first positions, as the model computes them."""
        rotary, x = self._rotary(), torch.zeros(1, count, self.width)
        words = [type_] if "layer_type" in inspect.signature(rotary.forward).parameters else []
        cos, sin = rotary(x, torch.arange(count)[None], *words)
        return np.asarray(as_array(cos))[0], np.asarray(as_array(sin))[0]

    def _angles(self, type_: str | None) -> Angles:
        """Return the rotation of layers of a type. Raises `UsageError` if tables of positions are
        not cosines and sines of multiples of frequencies."""
        cos, sin = self._turns(type_, PROBED)
        half = cos.shape[1] // 2
        kinds = {
            "halves": (slice(0, half), np.concatenate([cos[:, :half]] * 2, 1)),
            "pairs": (slice(0, None, 2), np.repeat(cos[:, ::2], 2, 1)),
        }
        kind = next((k for k, (_, same) in kinds.items() if np.array_equal(cos, same)), None)
        if kind is None:
            raise UsageError(f"{type(self.model).__name__}: its rotary embedding is not supported")
        part = kinds[kind][0]
        frequencies = np.arctan2(sin[1, part], cos[1, part])
        for buffer in self._rotary().buffers():  # exactly
            exact = as_array(buffer)
            if exact is not None and exact.shape == frequencies.shape:
                if np.allclose(exact, frequencies, 1e-5, 1e-7):
                    frequencies = exact
        scaling = float(np.hypot(sin[1, 0], cos[1, 0]))
        if abs(scaling - 1) < 1e-6:
            scaling = 1.0
        rotation = RotaryAngles([float(f) for f in frequencies], scaling, kind)
        same = RotaryAngles(rotation.inv_freq, scaling).tables(range(PROBED))
        if not all(
            np.allclose(a, b[:, part], 1e-5, 1e-5) for a, b in zip(same, (cos, sin), strict=True)
        ):
            raise UsageError(
                f"{type(self.model).__name__}: the angles of its rotary embedding are no multiples "
                "of the position"
            )
        return Angles(rotation, self._theta(frequencies) if scaling == 1 else None)

    def _theta(self, frequencies: Array) -> float | None:
        """Return the base of plain rotary embeddings."""
        if len(frequencies) < 2:
            return None
        size = 2 * len(frequencies)
        theta = float(f"{float(frequencies[1]) ** (-size / 2):.6g}")
        plain = plain_frequencies(theta, size)
        return theta if np.allclose(plain, frequencies, 1e-4) else None

    # -- the parts

    def table(self) -> tuple[Array, float]:
        """Return the weight of the embedding, and the factor of its rows."""
        weight = np.asarray(as_array(self.embedding.weight))
        with torch.no_grad():
            rows = np.asarray(as_array(self.embedding(torch.arange(len(weight)))))
        largest = np.unravel_index(np.abs(weight).argmax(), weight.shape)
        factor = float(rows[largest] / weight[largest])
        if np.allclose(weight * np.float32(factor), rows, 1e-6, 0):
            return weight, factor
        return rows, 1.0

    def positions(self) -> Array | None:
        """Return the table of learned positions."""
        found = (getattr(self.base, name, None) for name in POSITIONS)
        module = next((each for each in found if each is not None), None)
        return None if module is None else np.asarray(as_array(module.weight))

    def inputs(self) -> list[BundleInput]:
        """Return the inputs of the decoder."""
        found = [BundleInput("in0", "hidden")]
        for index, type_ in enumerate(self.types):
            found.append(BundleInput(f"in{len(found)}", "mask", self.window(type_)))
            if self.angles:
                found.append(BundleInput(f"in{len(found)}", "cos", rotation=index))
                found.append(BundleInput(f"in{len(found)}", "sin", rotation=index))
        if self.crosses:
            found.append(BundleInput(f"in{len(found)}", "encoded"))
        return found

    def example(self, steps: int) -> list[Any]:
        """Return inputs of the decoder for so many steps."""
        found: list[Any] = []
        random = torch.Generator().manual_seed(0)
        for each in self.inputs():
            if each.role == "mask":
                found.append(torch.from_numpy(causal_mask(steps, each.window))[None])
            elif each.role in ("cos", "sin"):
                tables = self.angles[each.rotation].rotation.tables(range(steps))
                found.append(torch.from_numpy(tables[each.role == "sin"])[None])
            else:
                rows = ENCODED if each.role == "encoded" else steps
                found.append(torch.randn(1, rows, self.width, generator=random))
        return found

    def decoder(self) -> Any:
        """Return the layers of the decoder as a module with the inputs of `inputs`."""
        return _module_of(self)

    def full_logits(self, ids: Sequence[int], encoded: Array | None) -> Array:
        """Return the logits of all positions, by one call of the model."""
        more = {} if encoded is None else {"encoder_hidden_states": torch.from_numpy(encoded)[None]}
        with torch.no_grad():
            if self.crosses:
                out = self.base(input_ids=torch.tensor([[*ids]]), use_cache=False, **more)
                logits = self.head(out.last_hidden_state)
            else:
                logits = self.model(input_ids=torch.tensor([[*ids]]), use_cache=False).logits
        return np.asarray(as_array(logits))[0]


def _module_of(parts: CausalModel) -> Any:
    """Return a module that calls the decoder's layers with masks and tables that it gets."""
    module: Any = torch.nn.Module

    class Given(module):
        """The tables of rotations, or no positions."""

        def __init__(self) -> None:
            module.__init__(self)
            self.tables: dict[str | None, Any] = {}

        def forward(self, *_: Any, layer_type: str | None = None, **__: Any) -> Any:
            words = [each for each in _ if isinstance(each, str)]
            return self.tables[layer_type or (words[0] if words else None)]

    class Nothing(module):
        """Positions that the embedding adds already."""

        def forward(self, *_: Any, **__: Any) -> Any:
            return torch.zeros(())

    class DecoderLayers(module):
        """The layers of a decoder."""

        def __init__(self) -> None:
            module.__init__(self)
            base = copy(parts.base)
            base._modules = dict(base._modules)
            self.rotary = Given()
            if parts.angles:
                base.rotary_emb = self.rotary
            for name in POSITIONS:
                if hasattr(base, name):
                    setattr(base, name, Nothing())
            self.base = base

        def forward(self, *values: Any) -> Any:
            by_type: dict[str | None, Any] = {}
            more: dict[str, Any] = {}
            turns: list[Any] = []
            for each, value in zip(parts.inputs(), values, strict=True):
                if each.role == "mask":
                    by_type[parts.types[len(by_type)]] = value.unsqueeze(1)
                elif each.role in ("cos", "sin"):
                    turns.append(_columns(value, parts.angles[each.rotation].rotation.features))
                elif each.role == "encoded":
                    more["encoder_hidden_states"] = value
            pairs = zip(turns[::2], turns[1::2], strict=True)
            self.rotary.tables = dict(zip(parts.types, pairs, strict=False))
            if parts.angles:
                self.rotary.tables[None] = self.rotary.tables[parts.types[0]]
            mask = by_type if len(by_type) > 1 else next(iter(by_type.values()))
            found = self.base(inputs_embeds=values[0], attention_mask=mask, use_cache=False, **more)
            return found.last_hidden_state

    return DecoderLayers().eval()


def _columns(table: Any, features: str) -> Any:
    """Return a table with two columns for each angle, as models have it."""
    if features == "pairs":
        return torch.repeat_interleave(table, 2, -1)
    return torch.cat([table, table], -1)
