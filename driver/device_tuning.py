"""Tuning of a model by measurements on devices: `--tune measure`.

The rewrites whose profit depends on the processor are applied one at a time. Each result is
measured against the result without tuning, in pairs, unless the cache has the measurement of an
equal change. The rewrites that are faster on a device, and slower on none, are kept together if the
model with all of them is also faster.

The cache has one file per processor and release of ncnn, and one file with the facts of each
address, so that decisions are found without the device.
"""

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from numpy.typing import NDArray
from xdsl.dialects.builtin import DictionaryAttr, ModuleOp, StringAttr

from ..analysis.target_info import ATTRIBUTE, NONE, PROCESSORS, REWRITES
from ..analysis.tuning_facts import noting_rewrites
from ..dialects.ncnn.function import inputs_of, output_names
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.lookup import model_of
from ..interpreters.errors import RunError
from ..paired_times.ratio import Ratio
from ..runtime.devices.address import Address
from ..runtime.devices.measurements import DeviceModel, MeasuringOptions, measure, with_session
from ..runtime.devices.probe import DeviceFacts, probe
from ..runtime.devices.session import Say, Session
from ..runtime.trial_shapes import random_inputs, take_shapes
from ..targets.cache import Cache, default_folder, digest
from ..targets.param.export import export_module
from .devices import TOLERANCE, OnDevice, columns, error_of, reference

Blobs = Mapping[str, NDArray[Any]]
Optimize = Callable[[ModuleOp], None]

WAITING = 3600
"""A device that another session uses is tried again for this many seconds."""
MOST_TYPES = 3
"""The largest number of layer types in a description."""
_NAMES = ("name", "blob", "blobs", "shape_hints")
"""Properties that do not change the speed of a layer."""
ADDRESSES = "devices.json"
_KIND = {"kind": "addresses of devices"}


@dataclass(frozen=True)
class Variant:
    """The model with some rewrites tuned in another way."""

    choices: Mapping[str, str]
    """The choice for each rewrite of `REWRITES` that differs."""
    module: ModuleOp
    key: str
    """Identifies the layers that differ from the model without tuning."""
    description: str

    @property
    def attribute(self) -> str:
        """The choices as the pass `ncnn-tune` takes them."""
        return ",".join(f"{name}={choice}" for name, choice in self.choices.items())

    @property
    def words(self) -> str:
        """The rewrites and their choices."""
        parts = [f"{REWRITES[name]} ({choice})" for name, choice in self.choices.items()]
        return "; ".join(parts)


@dataclass
class Tuned:
    """The result of a tuning."""

    choices: str
    """The choices as the pass `ncnn-tune` takes them; empty: as without tuning."""
    lines: Sequence[str]
    """The table of trials as lines of text."""


@dataclass
class DeviceTuner:
    """Trials of a model on devices."""

    module: ModuleOp
    """The model before all passes."""
    optimize: Optimize
    """The passes. The tuning is an attribute of the module."""
    addresses: Sequence[Address]
    say: Say
    seed: int = 0
    plan: MeasuringOptions = MeasuringOptions()
    _stack: ExitStack = field(default_factory=ExitStack)
    _ratios: dict[tuple[str, str], tuple[Ratio, str]] = field(
        default_factory=dict[tuple[str, str], tuple[Ratio, str]]
    )
    """The ratio of each variant's key on each address, and its origin."""
    _outputs: Blobs | None = None

    def tune(self) -> Tuned:
        """Return the choices for this model. Raise `RunError`."""
        with self._stack, noting_rewrites() as consulted:
            self.base = self._optimized({})
            self.inputs, _ = random_inputs(model_of(self.base), self.seed)
            self.layers = _layers_of(self.base, self.inputs)
            variants = self._variants([name for name in REWRITES if name in consulted])
            if not variants:
                text = "tuning: no rewrite of this model depends on the processor"
                return Tuned("", [text])
            for address in self.addresses:
                self._try(variants, address)
            kept = self._kept(variants)
            chosen = self._together(kept) if len(kept) > 1 else next(iter(kept), None)
        return Tuned(chosen.attribute if chosen else "", self._table(variants, chosen))

    # -- variants

    def _optimized(self, choices: Mapping[str, str]) -> ModuleOp:
        module = self.module.clone()
        if choices:
            text = ",".join(f"{name}={choice}" for name, choice in choices.items())
            module.attributes[ATTRIBUTE] = StringAttr(text)
        self.optimize(module)
        return module

    def _variants(self, rewrites: Sequence[str]) -> list[Variant]:
        """Return the different results of one rewrite, tuned for each family or not at all."""
        found: dict[str, Variant] = {}
        for name in rewrites:
            for choice in (*PROCESSORS, NONE):
                variant = self._variant({name: choice})
                if variant is not None:
                    found.setdefault(variant.key, variant)
        return list(found.values())

    def _variant(self, choices: Mapping[str, str]) -> Variant | None:
        """Return the model with these choices; `None` if its layers are those without tuning."""
        module = self._optimized(choices)
        layers = _layers_of(module, self.inputs)
        gone, new = self.layers.keys() - layers.keys(), layers.keys() - self.layers.keys()
        if not gone and not new:
            return None
        words = [_types(self.layers, gone), _types(layers, new)]
        key = digest(*sorted(gone), "->", *sorted(new))
        return Variant(choices, module, key, " -> ".join(words))

    # -- trials

    def _try(self, variants: Sequence[Variant], address: Address) -> None:
        """Find the ratio of each variant in the cache, or measure it on a device."""
        identity = known_identity(address)
        missing = list(variants)
        if identity is not None:
            missing = self._take_cached(variants, address, identity)
        if not missing:
            return
        count = len(missing)
        self.say(
            f"tuning: at most {count} {'trial' if count == 1 else 'trials'} on {address}, of "
            f"{self.plan.pairs} pairs of runs"
        )
        with_session(address, lambda s: self._measure(variants, address, s), self.say, WAITING)

    def _take_cached(
        self, variants: Sequence[Variant], address: Address, identity: Mapping[str, str]
    ) -> list[Variant]:
        """Take ratios from the cache of a kind of device. Return the variants without one."""
        known = {name: value for name, value in identity.items() if name != "family"}
        cache = cache_of(known)
        missing: list[Variant] = []
        for variant in variants:
            if (ratio := find_ratio(cache, variant.key)) is None:
                missing.append(variant)
            else:
                self._ratios[variant.key, str(address)] = ratio, "cache"
        return missing

    def _measure(self, variants: Sequence[Variant], address: Address, session: Session) -> None:
        """Measure variants on a device, unless the cache of this kind of device has them."""
        facts = probe(session)
        remember(address, facts)
        cache = cache_of(facts.identity)
        for variant in self._take_cached(variants, address, facts.identity):
            models = [self._files("tuned", variant.module), self._files("untuned", self.base)]
            measured = measure(session, models, self.inputs, self.plan)
            errors = [error_of(self._expected(), outputs) for outputs in measured.outputs]
            ratio, origin = measured.ratio, "measured"
            assert ratio is not None
            if not OnDevice(measured, errors[::-1], TOLERANCE).agrees:
                origin = f"outputs differ by {errors[0]:.2g}"
                ratio = Ratio(float("inf"), float("inf"), float("inf"))
            else:
                store_ratio(cache, variant.key, ratio, variant.description)
            self._ratios[variant.key, str(address)] = ratio, origin

    def _files(self, name: str, module: ModuleOp) -> DeviceModel:
        folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="ncnn-opt-")))
        param, weights = folder / "model.param", folder / "model.bin"
        export_module(module.clone()).save(str(param), str(weights))
        return DeviceModel(name, param, weights)

    def _expected(self) -> Blobs:
        """Return the outputs of the model before all passes, by the reference semantics; after the
        passes if they change its inputs or outputs, or replace layers without semantics. Raise
        `RunError`."""
        if self._outputs is None and _ends(self.module) == _ends(self.base):
            with suppress(RunError):
                self._outputs = reference(self.module, self.inputs)
        if self._outputs is None:
            self._outputs = reference(self.base, self.inputs)
        return self._outputs

    # -- decisions

    def _kept(self, variants: Sequence[Variant]) -> list[Variant]:
        """Return the fastest variant of each rewrite that is faster on a device and slower on
        none."""
        best: dict[str, Variant] = {}
        for variant in variants:
            (name,) = variant.choices
            if self._is_better(variant):
                other = best.get(name)
                if other is None or self._mean(variant) < self._mean(other):
                    best[name] = variant
        return list(best.values())

    def _is_better(self, variant: Variant) -> bool:
        ratios = self._of(variant)
        return any(r.is_faster for r in ratios) and not any(r.is_slower for r in ratios)

    def _of(self, variant: Variant) -> list[Ratio]:
        return [self._ratios[variant.key, str(address)][0] for address in self.addresses]

    def _mean(self, variant: Variant) -> float:
        ratios = self._of(variant)
        return sum(ratio.value for ratio in ratios) / len(ratios)

    def _together(self, kept: Sequence[Variant]) -> Variant:
        """Return the model with all kept variants if it is the fastest, else the fastest of
        them."""
        choices = {name: choice for each in kept for name, choice in each.choices.items()}
        single = min(kept, key=self._mean)
        both = self._variant(choices)
        if both is None:
            return single
        for address in self.addresses:
            self._try([both], address)
        return both if self._is_better(both) and self._mean(both) < self._mean(single) else single

    def _table(self, variants: Sequence[Variant], chosen: Variant | None) -> list[str]:
        """Return the trials as lines of text, a column for each device."""
        head = ["tuning", "layers", *map(str, self.addresses), "result"]
        rows = [head]
        shown = list(variants)
        if chosen is not None and chosen.key not in {each.key for each in shown}:
            shown.append(chosen)
        for variant in shown:
            cells: list[str] = []
            for address in self.addresses:
                ratio, origin = self._ratios[variant.key, str(address)]
                cells.append(origin if ratio.value == float("inf") else f"{ratio}, {origin}")
            is_chosen = chosen is not None and variant.key == chosen.key
            rows.append([variant.words, variant.description, *cells, "kept" if is_chosen else "-"])
        return columns(rows)


def _layers_of(module: ModuleOp, inputs: Blobs) -> dict[str, str]:
    """Return the types of the layers of a model by a text of all that their speed depends on: type,
    parameters, and the shapes of their blobs and weights."""
    copy = module.clone()
    func = model_of(copy)
    take_shapes(func, inputs)
    found: dict[str, str] = {}
    for op in func.body.block.ops:
        if isinstance(op, LayerOp):
            kept = {name: p for name, p in op.properties.items() if name not in _NAMES}
            types = [str(value.type) for value in (*op.operands, *op.results)]
            text = f"{op.LAYER_TYPE} {DictionaryAttr(dict(sorted(kept.items())))} {types}"
            found[text] = op.LAYER_TYPE
    return found


def _ends(module: ModuleOp) -> tuple[list[str], list[str]]:
    """Return the names of the inputs and outputs of a model."""
    func = model_of(module)
    return list(inputs_of(func)), output_names(func)


def _types(layers: Mapping[str, str], texts: set[str]) -> str:
    """Return the types of some layers as text, at most `MOST_TYPES`."""
    types = sorted({layers[text] for text in texts})
    more = ["…"] if len(types) > MOST_TYPES else []
    return ", ".join([*types[:MOST_TYPES], *more]) or "nothing"


# -- the cache


def cache_of(identity: Mapping[str, str]) -> Cache:
    """Return the cache of a kind of device."""
    return Cache.of({"cpu": identity["processor"], **identity})


def known_identity(address: Address) -> Mapping[str, str] | None:
    """Return the facts that timings on this device depend on, from the last session; `None` for a
    new device."""
    entry = _addresses().get(str(address))
    return None if entry is None else {name: str(value) for name, value in entry.items()}


def remember(address: Address, facts: DeviceFacts) -> None:
    """Store the facts about a device. Raise `OSError`."""
    addresses = _addresses()
    addresses.put(str(address), {**facts.identity, "family": facts.family or ""})
    addresses.save()


def find_ratio(cache: Cache, key: str) -> Ratio | None:
    """Return the measured ratio of a change; `None` if it was not measured."""
    entry = cache.get(key)
    try:
        if entry is None:
            return None
        return Ratio(float(entry["ratio"]), float(entry["low"]), float(entry["high"]))
    except (KeyError, TypeError, ValueError):
        return None


def store_ratio(cache: Cache, key: str, ratio: Ratio, description: str) -> None:
    """Add a measured ratio. Raise `OSError`."""
    values = {"ratio": ratio.value, "low": ratio.low, "high": ratio.high}
    cache.put(key, {"change": description, **values})
    cache.save()


def _addresses() -> Cache:
    return Cache(os.path.join(default_folder(), ADDRESSES), _KIND)
