"""The fastest forms of convolutions on this machine, by measurement.

The forms of each convolution are measured in a small model of the convolution and its neighbors,
most multiply-adds first, until the time is over. Then the whole model is compiled with the forms of
the cost model, and with the forms that were faster. Only whole models show the gain, so the faster
one is the result.

A file keeps the measurements (`targets/cache.py`).
"""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ..analysis.random_inputs import random_input
from ..conversion.to_linalg.processors import PROCESSORS
from ..dialects.ncnn.blob import static_shape_of
from ..dialects.ncnn.function import input_name
from ..paired_times.clock import clock_for, measure, repeated
from ..paired_times.ratio import ratio_of_pairs
from ..targets.cache import Cache, Entry, digest
from .errors import NativeError
from .iree_compile import Tick, compile_codes
from .lowering import Fused, Lowered, fuse, lower_fused
from .machine import machine
from .options import CompileOptions
from .program import Array, Compiled, Program, assembled, compile_fused
from .tuning_sites import TuningSite, key_of, set_form, tuning_sites

ESTIMATED = "estimated"
"""The model with the forms of the cost model."""

TUNED = "tuned"
"""The model with the forms that were faster between their neighbors."""

SECONDS = 120.0
"""The default time to measure forms."""

MIN_FRACTION = 0.004
"""A convolution with a smaller fraction of the model's multiply-adds is not measured."""

ROUNDS = 25
"""The largest number of rounds in which programs take turns."""

CLEAR_RATIO = 0.98
"""A program is faster if its time is at most this fraction of another's."""

DRIVER = "local-sync"
"""IREE's driver for programs that compute on the calling thread."""

Inputs = Mapping[str, Array]

Runs = Mapping[str, Callable[[], object]]
"""Functions to measure, by name."""

Times = dict[str, list[float]]
"""Milliseconds per run, by name. Equal positions belong to the same round."""

Timer = Callable[[Runs], Times]
"""Measures functions in turn."""


@dataclass(frozen=True)
class InTurn:
    """The timer: functions take turns."""

    threads: int | None = None
    """1 for functions that compute on the calling thread."""
    seconds: float = 2.0
    """The time for each function. It has at least one round."""

    def __call__(self, runs: Runs) -> Times:
        clock = clock_for(self.threads)
        seconds = self.seconds * len(runs)
        rounds = measure([repeated(run, clock) for run in runs.values()], ROUNDS, seconds)
        return {name: [times[i] for times in rounds] for i, name in enumerate(runs)}


ON_ONE_THREAD = InTurn(1, 0.3)


@dataclass(frozen=True)
class Tuning:
    """The settings of a measurement."""

    seconds: float = SECONDS
    """The time to measure the forms of single convolutions. Whole models take additional time."""
    folder: str | None = None
    """The folder of measurements; by default the user's cache folder."""
    whole: Timer = InTurn()
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
    tell: Callable[[str], None] = lambda text: None
    """Receives the current step."""
    note: Callable[[str], None] = lambda text: None
    """Receives the result."""


def fastest(
    module: ModuleOp, options: CompileOptions, tuning: Tuning = Tuning(), hooks: Hooks = Hooks()
) -> Compiled:
    """Compile a model in the fastest forms of convolutions on this machine. The module becomes the
    code's module. Raises `NativeError` for code of another processor, for inputs with dynamic
    extents, and like `compile_module`."""
    if options.target != "cpu" or options.target_triple is not None:
        raise NativeError("--autotune measures on this machine's CPU; remove --target-device")
    return _Tuner(fuse(module, options), options, tuning, hooks).compiled()


Forms = Mapping[str, str]
"""The forms of convolutions that differ from the cost model's, by the keys of the convolutions."""


class _Tuner:
    """Tunes one model."""

    def __init__(self, model: Fused, options: CompileOptions, tuning: Tuning, hooks: Hooks) -> None:
        self.model, self.options, self.tuning, self.hooks = model, options, tuning, hooks
        self.inputs = _inputs(model)
        self.sites = tuning_sites(model, PROCESSORS[options.processor])
        self.cache = Cache.of(machine(), tuning.folder)
        self.flags = digest(*options.compiler_flags())

    def compiled(self) -> Compiled:
        """Return the program."""
        if not self.sites:
            self.hooks.note("there is no convolution to tune")
            return self._compile({}, "")
        key = self._key(key_of(self.model, self.sites))
        if (known := self._known(self.cache.get(key))) is not None:
            words = _words(known)
            self.hooks.note(f"{words}, as measured before ({self.cache.path})")
            made = self._compile(known, words)
        else:
            made = self._measured(key)
        self._save()
        return made

    def _measured(self, key: str) -> Compiled:
        forms, tried = self._forms()
        variants: dict[str, Forms] = {ESTIMATED: {}}
        if forms:
            variants[TUNED] = forms
        made = {n: self._compile(f, f"the {n} model") for n, f in variants.items()}
        times = self._times(made)
        best = fastest_of(times)
        shown = [f"{_words(variants[n], tried)} {median(t):.3g} ms" for n, t in times.items()]
        self.hooks.note(f"{', '.join(shown)}: {best}")
        self.cache.put(
            key,
            {
                "forms": dict(variants[best]),
                "seconds": self.tuning.seconds,
                "tried": tried,
                "times": _seconds(times),
            },
        )
        return made[best]

    def _known(self, entry: Entry | None) -> Forms | None:
        """Return the recorded result for the whole model if it can be used: all forms were
        measured, or the time was at least as long as now."""
        if entry is None or not isinstance(given := entry.get("forms"), dict):
            return None
        forms, seconds = cast(dict[str, Any], given), entry.get("seconds")
        known = {site.key: site.forms for site in self.sites}
        if any(form not in known.get(key, ()) for key, form in forms.items()):
            return None
        longer = isinstance(seconds, int | float) and seconds >= self.tuning.seconds
        return forms if longer or entry.get("tried") == len(self._worth()) else None

    # -- whole models

    def _compile(self, forms: Forms, name: str) -> Compiled:
        self.hooks.tell(name)
        model = self.model.clone()
        for site in self.sites:
            if (form := forms.get(site.key)) is not None:
                set_form(model, site.places, form)
        return compile_fused(model, self.options, self.hooks.tick)

    def _times(self, made: Mapping[str, Compiled]) -> dict[str, list[float]]:
        programs = {name: Program(each, self.tuning.driver) for name, each in made.items()}
        return self.tuning.whole(runs_of(programs, self.inputs))

    # -- single convolutions

    def _worth(self) -> list[TuningSite]:
        """Return the convolutions whose forms are measured."""
        total = sum(site.products for site in self.sites)
        return [site for site in self.sites if site.products >= MIN_FRACTION * total]

    def _forms(self) -> tuple[Forms, int]:
        """Return the forms that are faster than the cost model's, and the number of measured
        convolutions."""
        end = time.monotonic() + self.tuning.seconds
        found: dict[str, str] = {}
        worth, tried = self._worth(), 0
        for i, site in enumerate(worth):
            key = self._key(site.key)
            entry = self.cache.get(key)
            best = None if entry is None else entry.get("form")
            if best not in site.forms:
                if time.monotonic() > end:
                    continue  # the cache may have the others
                self.hooks.tell(f"convolution {i + 1} of {len(worth)}, {site.description}")
                best = self._best(site, key)
            tried += 1
            if best != site.forms[0]:
                found[site.key] = best
        return found, tried

    def _best(self, site: TuningSite, key: str) -> str:
        """Return the fastest form between the neighbors."""
        made = self._compile_site(site)
        if site.forms[0] not in made:
            return site.forms[0]
        inputs = _inputs(site.model)
        programs = {form: Program(each, DRIVER) for form, each in made.items()}
        times = self.tuning.layers(runs_of(programs, inputs))
        best = fastest_of(times, consistent=False)  # whole models decide in the end
        found = {"convolution": site.description, "form": best, "times": _seconds(times)}
        self.cache.put(key, found)
        return best

    def _compile_site(self, site: TuningSite) -> dict[str, Compiled]:
        """Return the programs of the forms that IREE compiles, compiled in parallel."""
        lowered: dict[str, Lowered] = {}
        for form in site.forms:
            model = site.model.clone()
            set_form(model, [site.own], form)
            lowered[form] = lower_fused(model, self.options)
        codes = compile_codes(lowered, self.options, self.hooks.tick)
        return {
            form: assembled(lowered[form], code, self.options)
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


def runs_of(programs: Mapping[str, Program], inputs: Inputs) -> Runs:
    """Return runs of programs on the same inputs."""
    return {name: partial(program, inputs) for name, program in programs.items()}


def fastest_of(times: Mapping[str, Sequence[float]], consistent: bool = True) -> str:
    """Return the name of the fastest function: the first, unless another is clearly faster, in
    rounds that both have. With `consistent` it must be faster beyond the interval, too."""
    first, *others = times
    best, least = first, CLEAR_RATIO
    for name in others:
        ratio = ratio_of_pairs(times[name], times[first])
        if ratio.value <= least and (ratio.is_faster or not consistent):
            best, least = name, ratio.value
    return best


def _seconds(times: Mapping[str, Sequence[float]]) -> Mapping[str, float]:
    """Return the median times for the cache."""
    return {name: median(each) / 1000 for name, each in times.items()}


def _words(forms: Forms, tried: int | None = None) -> str:
    of = "" if tried is None else f" of {tried}"
    return f"{len(forms)}{of} convolutions in other forms" if forms else "estimated forms"


def _inputs(model: Fused) -> Inputs:
    """Return random inputs. Raises `NativeError` if a shape is unknown."""
    rng, func = np.random.default_rng(0), model.func
    found: dict[str, Any] = {}
    for i, arg in enumerate(func.body.block.args):
        name = input_name(func, i)
        if static_shape_of(arg) is None:
            raise NativeError(f"--autotune needs the extents of input '{name}'")
        found[name] = random_input(name, arg, rng)
    return found
