"""The `model.json` of a bundle: the files, and the inputs of each model by role. The part that
`ncnn_llm` reads has its names."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ...runtime.host import Array
from ..decoder import HIDDEN
from ..errors import UsageError

FILE = "model.json"

Part = Literal["embed_token", "decoder", "proj_out"]
PARTS: tuple[Part, ...] = ("embed_token", "decoder", "proj_out")
"""The models of a bundle, by the names of `ncnn_llm`."""

CacheFormat = Literal["plain", "opaque"]
"""Caches of keys and values: ordinary blobs, or the runtime's own, which the application neither
copies nor saves."""

Role = Literal["tokens", "positions", "hidden", "mask", "cos", "sin", "encoded"]


@dataclass(frozen=True)
class RotaryAngles:
    """The angles of a rotary position embedding: position times `inv_freq`."""

    inv_freq: Sequence[float]
    scaling: float = 1.0
    """The factor of cosines and sines."""
    features: str = "halves"
    """The features that an angle turns: one of each half (`halves`), or neighbours (`pairs`)."""

    def tables(self, positions: Sequence[int]) -> tuple[Array, Array]:
        """Return the cosines and sines of positions: a column for each angle."""
        frequencies = np.asarray(self.inv_freq, np.float32)
        angles = np.asarray(positions, np.float32)[:, None] * frequencies
        factor = np.float32(self.scaling)
        return np.cos(angles) * factor, np.sin(angles) * factor


@dataclass(frozen=True)
class BundleInput:
    """An input of a model."""

    name: str
    role: Role
    window: int | None = None
    """For a mask: the number of steps that each step sees; `None`: all steps up to it."""
    rotation: int = 0
    """For cosines and sines: the index of the rotation."""


def causal_mask(steps: int, window: int | None) -> Array:
    """Return the mask of a whole sequence."""
    distance = np.arange(steps)[:, None] - np.arange(steps)
    hidden = (distance < 0) | (distance >= (window or steps))
    return np.where(hidden, np.float32(HIDDEN), np.float32(0))


@dataclass
class BundleManifest:
    """The description of a bundle."""

    files: dict[str, tuple[str, str]]
    """The `.param` and `.bin` of each part."""
    inputs: dict[str, list[BundleInput]]
    """The inputs of each part, but for caches."""
    layers: int
    """The number of attention layers with a cache."""
    rotations: list[RotaryAngles] = field(default_factory=list[RotaryAngles])
    fixed: dict[str, str] = field(default_factory=dict[str, str])
    """Inputs of the decoder that are computed once, with the outputs of the decoder that compute
    them."""
    theta: float | None = None
    """The base of the angles, if they are those of plain rotary embeddings."""
    caches: CacheFormat = "opaque"
    tokenizer: Mapping[str, Any] | None = None
    """The files and special tokens of a byte-pair encoding, as `ncnn_llm` reads them."""

    def given(self, part: str, count: int) -> dict[str, Array]:
        """Return the inputs of a part that depend only on the positions of so many steps."""
        found: dict[str, Array] = {}
        for each in self.inputs[part]:
            if each.role == "mask":
                found[each.name] = causal_mask(count, each.window)
            elif each.role == "positions":
                found[each.name] = np.arange(count, dtype=np.int32)
            elif each.role in ("cos", "sin"):
                tables = self.rotations[each.rotation].tables(range(count))
                found[each.name] = tables[each.role == "sin"]
        return found

    def named(self, part: str, role: Role) -> str | None:
        """Return the input of a part with a role."""
        return next((each.name for each in self.inputs[part] if each.role == role), None)

    def text(self) -> str:
        """Return the JSON."""
        params: dict[str, str] = {}
        for part, (param, weights) in self.files.items():
            params |= {f"{part}_param": param, f"{part}_bin": weights}
        setting: dict[str, Any] = {"attn_cnt": self.layers}
        if self.rotations:
            first = self.rotations[0]
            rope: dict[str, Any] = {"rope_head_dim": 2 * len(first.inv_freq)}
            if self.theta is not None:
                rope |= {"type": "RoPE", "rope_theta": self.theta}
            else:  # other runtimes do not know these angles: without a base they do not start
                rope |= {"type": "frequencies"}
            setting["rope"] = rope
        interface = {
            "inputs": {part: [_short(each) for each in some] for part, some in self.inputs.items()},
            "rotations": [asdict(each) for each in self.rotations],
            "fixed": self.fixed,
            "caches": self.caches,
        }
        every: dict[str, Any] = {"params": params, "setting": setting, "interface": interface}
        if self.tokenizer is not None:
            every["tokenizer"] = dict(self.tokenizer)
        return json.dumps(every, indent=2) + "\n"

    @classmethod
    def read(cls, folder: Path) -> "BundleManifest":
        """Read the `model.json` of a folder. Raises `OSError`, and `UsageError` for a file that is
        not one of a bundle."""
        path = folder / FILE
        try:
            return cls._of(json.loads(path.read_text(encoding="utf-8")))
        except UnicodeDecodeError as e:
            raise UsageError(f"{path}: not UTF-8: {e}") from e
        except (ValueError, KeyError, TypeError, AttributeError) as e:
            reason = f"no key {e}" if isinstance(e, KeyError) else str(e)
            raise UsageError(
                f"{path}: not the description of a bundle: {reason}; export_decoder writes one"
            ) from e

    @classmethod
    def _of(cls, data: Mapping[str, Any]) -> "BundleManifest":
        params, setting = data["params"], data["setting"]
        files = {part: (params[f"{part}_param"], params[f"{part}_bin"]) for part in PARTS}
        for name in (name for names in files.values() for name in names):
            check_name(name)
        interface, rope = data.get("interface"), setting.get("rope", {})
        if interface is None:
            return cls._of_ncnn_llm(files, setting["attn_cnt"], rope, data.get("tokenizer"))
        return cls(
            files,
            {
                part: [BundleInput(**each) for each in some]
                for part, some in interface["inputs"].items()
            },
            setting["attn_cnt"],
            [RotaryAngles(**each) for each in interface["rotations"]],
            interface["fixed"],
            rope.get("rope_theta"),
            interface.get("caches", "opaque"),
            data.get("tokenizer"),
        )

    @classmethod
    def _of_ncnn_llm(
        cls,
        files: dict[str, tuple[str, str]],
        layers: int,
        rope: Mapping[str, Any],
        tokenizer: Mapping[str, Any] | None,
    ) -> "BundleManifest":
        """Return the description of a bundle of another program: it has the inputs of `ncnn_llm`,
        and plain rotary embeddings."""
        if rope["type"] != "RoPE":
            raise ValueError(f"rotary embedding '{rope['type']}' is not supported")
        size, theta = int(rope["rope_head_dim"]), float(rope["rope_theta"])
        inputs = {
            "embed_token": [BundleInput("in0", "tokens")],
            "decoder": [
                BundleInput("in0", "hidden"),
                BundleInput("in1", "mask"),
                *_turns("in2", "in3", 0),
            ],
            "proj_out": [BundleInput("in0", "hidden")],
        }
        rotation = RotaryAngles([float(f) for f in plain_frequencies(theta, size)])
        return cls(files, inputs, layers, [rotation], {}, theta, tokenizer=tokenizer)


def check_name(name: str) -> None:
    """Raise `ValueError` unless a name is that of a file in the folder of its `model.json`."""
    if name in ("", "..") or Path(name).name != name:
        raise ValueError(f"'{name}' is not the name of a file beside it")


def _turns(cos: str, sin: str, rotation: int) -> list[BundleInput]:
    return [BundleInput(cos, "cos", rotation=rotation), BundleInput(sin, "sin", rotation=rotation)]


def plain_frequencies(theta: float, size: int) -> Array:
    """Return the frequencies of a plain rotary embedding of so many features."""
    return (1.0 / theta ** (np.arange(0, size, 2, dtype=np.float32) / size)).astype(np.float32)


def _short(each: BundleInput) -> dict[str, Any]:
    """Return an input without values that are the default."""
    found: dict[str, Any] = {"name": each.name, "role": each.role}
    if each.window is not None:
        found["window"] = each.window
    if each.rotation:
        found["rotation"] = each.rotation
    return found
