"""The fastest forms of convolutions on this machine, by measurement.

First the whole model is compiled in each of `STYLES`. Then the forms of each convolution are
measured in a small model of the convolution and its neighbors, most multiply-adds first, until the
time is over. Then the whole model is compiled with the forms that were faster. Only whole models
show the gain, so the fastest of the whole models is the result.

A file keeps the measurements (`tuning_cache.py`).
"""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ..analysis.random_inputs import random_input
from ..conversion.to_linalg.processors import PROCESSORS
from ..dialects.ncnn.blob import static_shape_of
from ..dialects.ncnn.function import input_name
from .compiling import Tick, compile_codes
from .errors import NativeError
from .lowering import Fused, fuse, lower_fused
from .machine import machine
from .measuring import DRIVER, ON_ONE_THREAD, Inputs, Stopwatch, Timer, fastest_of, runs_of
from .options import Options
from .program import Compiled, Program, assembled, compile_fused
from .tuning_cache import Cache, Entry
from .tuning_sites import TuningSite, digest, key_of, set_form, tuning_sites

STYLES = ("gemm", "flat")
"""The styles of a whole model: options of `convert-fused-to-linalg`."""

TUNED = "tuned"
"""The model with the forms that were faster between their neighbors."""

SECONDS = 120.0
"""The default time to measure forms."""

MIN_FRACTION = 0.004
"""A convolution with a smaller fraction of the model's multiply-adds is not measured."""


def silent(text: str) -> None:
    """Report nothing."""


@dataclass(frozen=True)
class Tuning:
    """The settings of a measurement."""

    seconds: float = SECONDS
    """The time to measure the forms of single convolutions. Whole models take additional time."""
    folder: str | None = None
    """The folder of measurements; by default the user's cache folder."""
    whole: Timer = Stopwatch()
    """Measures whole models."""
    layers: Timer = ON_ONE_THREAD
    """Measures single convolutions."""
    driver: str | None = None
    """IREE's driver for whole models."""


@dataclass
class Hooks:
    """Callbacks that report progress."""

    tick: Tick = lambda: None
    """Called while the compiler works."""
    tell: Callable[[str], None] = field(default=silent)
    """Receives the current step."""
    note: Callable[[str], None] = field(default=silent)
    """Receives the result."""


def fastest(
    module: ModuleOp, options: Options, tuning: Tuning = Tuning(), hooks: Hooks = Hooks()
) -> Compiled:
    """Compile a model in the fastest forms of convolutions on this machine. The module becomes the
    code's module. Raises `NativeError` for code of another processor, for inputs with dynamic
    extents, and like `compile_module`."""
    if options.target != "cpu" or options.target_triple is not None:
        raise NativeError("--tune measures on this machine's CPU; remove --target")
    return _Tuner(fuse(module, options), options, tuning, hooks).compiled()


@dataclass(frozen=True)
class Variant:
    """The style and the forms of a compiled model."""

    style: str
    forms: Mapping[str, str] = field(default_factory=dict[str, str])
    """The forms of convolutions that differ from the style, by the keys of the convolutions."""


class _Tuner:
    """Tunes one model."""

    def __init__(self, model: Fused, options: Options, tuning: Tuning, hooks: Hooks) -> None:
        self.model, self.options, self.tuning, self.hooks = model, options, tuning, hooks
        self.inputs = _inputs(model)
        self.sites = tuning_sites(model, PROCESSORS[options.processor])
        self.cache = Cache.of(machine(), tuning.folder)
        self.flags = digest(*options.compiler_flags())

    def compiled(self) -> Compiled:
        """Return the program."""
        if not self.sites:
            self.hooks.note("there is no convolution to tune")
            return self._compile(Variant(STYLES[0]), "")
        key = self._key(key_of(self.model, self.sites))
        if (known := self._known(self.cache.get(key))) is not None:
            self.hooks.note(f"{self._words(known)}, as measured before ({self.cache.path})")
            made = self._compile(known, self._words(known))
        else:
            made = self._measured(key)
        self._save()
        return made

    def _measured(self, key: str) -> Compiled:
        # A style without a convolution of that form equals the first style.
        styles = [s for s in STYLES if s == STYLES[0] or any(s in x.forms for x in self.sites)]
        variants = {style: Variant(style) for style in styles}
        made = {s: self._compile(each, f"conv={s}") for s, each in variants.items()}
        base = variants[fastest_of(self._times(made))]
        forms, tried = self._forms(base)
        if forms:
            variants[TUNED] = Variant(base.style, forms)
            made[TUNED] = self._compile(variants[TUNED], "the tuned model")
        times = self._times(made)
        best = fastest_of(times)
        shown = {name: f"{1000 * median(each):.3g} ms" for name, each in times.items()}
        words = ", ".join(f"{self._words(variants[n], tried)} {shown[n]}" for n in shown)
        self.hooks.note(f"{words}: {best if best == TUNED else f'conv={best}'}")
        self.cache.put(
            key,
            {
                "style": variants[best].style,
                "forms": dict(variants[best].forms),
                "seconds": self.tuning.seconds,
                "tried": tried,
                "times": {name: median(each) for name, each in times.items()},
            },
        )
        return made[best]

    def _known(self, entry: Entry | None) -> Variant | None:
        """Return the recorded result for the whole model if it can be used: all forms were
        measured, or the time was at least as long as now."""
        if entry is None:
            return None
        style, given = entry.get("style"), entry.get("forms")
        seconds, tried = entry.get("seconds"), entry.get("tried")
        if style not in STYLES or not isinstance(given, dict):
            return None
        forms = cast(dict[str, Any], given)
        known = {site.key: site.forms for site in self.sites}
        if any(form not in known.get(key, ()) for key, form in forms.items()):
            return None
        complete = tried == len(self._worth())
        if not complete and not (
            isinstance(seconds, int | float) and seconds >= self.tuning.seconds
        ):
            return None
        return Variant(style, forms)

    def _words(self, variant: Variant, tried: int | None = None) -> str:
        if not variant.forms:
            return f"conv={variant.style}"
        count = len(variant.forms)
        of = "" if tried is None else f" of {tried}"
        return f"conv={variant.style} with {count}{of} convolutions in other forms"

    # -- whole models

    def _compile(self, variant: Variant, name: str) -> Compiled:
        self.hooks.tell(name)
        model = self.model.clone()
        for site in self.sites:
            if (form := variant.forms.get(site.key)) is not None:
                set_form(model, site.places, form)
        return compile_fused(model, replace(self.options, conv=variant.style), self.hooks.tick)

    def _times(self, made: Mapping[str, Compiled]) -> dict[str, list[float]]:
        programs = {name: Program(each, self.tuning.driver) for name, each in made.items()}
        return self.tuning.whole(runs_of(programs, self.inputs))

    # -- single convolutions

    def _worth(self) -> list[TuningSite]:
        """Return the convolutions whose forms are measured."""
        total = sum(site.products for site in self.sites)
        return [site for site in self.sites if site.products >= MIN_FRACTION * total]

    def _forms(self, base: Variant) -> tuple[dict[str, str], int]:
        """Return the forms that are faster than the style's forms, by keys, and the number of
        measured convolutions."""
        end = time.monotonic() + self.tuning.seconds
        found: dict[str, str] = {}
        worth, tried = self._worth(), 0
        for i, site in enumerate(worth):
            usual = base.style if base.style in site.forms else site.forms[0]
            forms = [usual, *(form for form in site.forms if form != usual)]
            key = self._key(site.key, base.style)
            entry = self.cache.get(key)
            best = None if entry is None else entry.get("form")
            if best not in forms:
                if time.monotonic() > end:
                    continue  # the cache may have the others
                self.hooks.tell(f"convolution {i + 1} of {len(worth)}, {site.description}")
                best = self._best(site, base, forms, key)
            tried += 1
            if best != usual:
                found[site.key] = best
        return found, tried

    def _best(self, site: TuningSite, base: Variant, forms: Sequence[str], key: str) -> str:
        """Return the fastest form between the neighbors."""
        made = self._compile_site(site, base, forms)
        if forms[0] not in made:
            return forms[0]
        inputs = _inputs(site.model)
        programs = {form: Program(each, DRIVER) for form, each in made.items()}
        times = self.tuning.layers(runs_of(programs, inputs))
        best = fastest_of(times, consistent=False)  # whole models decide in the end
        found = {form: median(each) for form, each in times.items()}
        self.cache.put(key, {"convolution": site.description, "form": best, "times": found})
        return best

    def _compile_site(
        self, site: TuningSite, base: Variant, forms: Sequence[str]
    ) -> dict[str, Compiled]:
        """Return the programs of the forms that IREE compiles, compiled in parallel."""
        options = replace(self.options, conv=base.style)
        lowered = {form: lower_fused(_with_form(site, form), options) for form in forms}
        codes = compile_codes(lowered, options, self.hooks.tick)
        return {
            form: assembled(lowered[form], code, options)
            for form, code in codes.items()
            if isinstance(code, bytes)
        }

    # -- the cache

    def _key(self, *parts: str) -> str:
        return "-".join((self.flags[:8], *parts))

    def _save(self) -> None:
        try:
            self.cache.save()
        except OSError as e:
            place, reason = os.path.dirname(self.cache.path), e.strerror or e
            self.hooks.note(f"measurements are not kept: '{place}': {reason}")


def _with_form(site: TuningSite, form: str) -> Fused:
    model = site.model.clone()
    set_form(model, [site.own], form)
    return model


def _inputs(model: Fused) -> Inputs:
    """Return random inputs. Raises `NativeError` if a shape is unknown."""
    rng, func = np.random.default_rng(0), model.func
    found: dict[str, Any] = {}
    for i, arg in enumerate(func.body.block.args):
        name = input_name(func, i)
        if static_shape_of(arg) is None:
            raise NativeError(f"--tune needs the extents of input '{name}'")
        found[name] = random_input(name, arg, rng)
    return found
