"""Decoding in the ncnn runtime: a prefill, then steps of one token, with the model's own caches."""

import re
import tempfile
from collections.abc import Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import numpy as np
from xdsl.dialects.func import ReturnOp
from xdsl.ir import BlockArgument, SSAValue

from ..analysis.input_shapes import likely_shapes
from ..analysis.random_inputs import random_input
from ..analysis.states import states_of
from ..dialects.ncnn.attention import Attention, RotaryEmbedOp
from ..dialects.ncnn.blob import shape_of, static_shape_of
from ..dialects.ncnn.function import inputs_of, output_names
from ..dialects.ncnn.lookup import model_of
from ..dialects.ncnn.reshaping import FlipOp
from ..dialects.xdsl_extras.spelling import nearest_or_all
from ..formats.verdicts import verdict
from ..interpreters.errors import RunError
from ..interpreters.inputs import readings
from ..runtime.differences import relative_error
from ..runtime.engines import SECONDS, check_runtime
from ..runtime.host import Array
from ..runtime.process import Blobs, Decoded, Failure, Runtime
from ..targets.param.export import export_module
from .errors import UsageError
from .model_files import InputModel

HIDDEN = -1e9
"""The value of a mask that hides a key."""

BASE = 10000.0
"""The base of the angles of generated tables of rotations."""


@dataclass(frozen=True)
class Tokens:
    """The numbers of tokens: of the prefill, and of the steps after it."""

    prefill: int
    steps: int

    @property
    def every(self) -> int:
        """All tokens."""
        return self.prefill + self.steps

    def calls(self) -> list[int]:
        """Return the number of tokens of each call."""
        return [self.prefill, *([1] * self.steps)]


def parse_tokens(text: str) -> Tokens:
    """Parse `PREFILL+STEPS`. Raises `UsageError`."""
    found = re.fullmatch(r"([1-9][0-9]*)\+([0-9]+)", text)
    if found is None:
        raise UsageError(f"--decode takes PREFILL+STEPS, as 7+20, not '{text}'")
    return Tokens(int(found[1]), int(found[2]))


class Decoder:
    """A decoder with caches, and the inputs of its calls."""

    def __init__(self, source: InputModel, given: Blobs, tokens: Tokens, seed: int) -> None:
        """`given` are values for all tokens, or for inputs that are the same in each call. Raises
        `UsageError` if the model has no cache, and `RunError` for an input of unknown shape."""
        self.source = source
        self.func = model_of(source.module)
        self.tokens = tokens
        states = states_of(self.func)
        self.caches = {each.input: each.output for each in states if each.starts_empty}
        if not self.caches:
            raise UsageError(
                f"{source.path}: no cache is an input and an output of the model; ncnn-opt "
                "--add-kv-cache adds caches"
            )
        arguments = inputs_of(self.func)
        kept = {*self.caches.values(), *arguments}  # an input that no layer reads is an output
        self.outputs = [name for name in output_names(self.func) if name not in kept]
        self.masks = [name for name, arg in arguments.items() if _is_mask(arg)]
        """The inputs that are masks; those without values are made causal."""
        self.values = {
            name: given[name] if name in given else self._values(name, arg, seed)
            for name, arg in arguments.items()
            if name in given or _needs_values(arg, {*self.caches, *self.masks}, name)
        }

    def _values(self, name: str, arg: BlockArgument, seed: int) -> Array:
        """Return cosines or sines of the positions, or random values."""
        for use in readings(arg):
            op = use.operation
            if isinstance(op, RotaryEmbedOp) and use.index in (1, 2):
                shape = shape_of(op.inputs[0])
                if shape is not None and shape[-1] > 0:
                    width = shape[-1] // 2
                    turns = BASE ** -(np.arange(width) / width)
                    angles = np.outer(np.arange(self.tokens.every), turns)
                    return (np.cos if use.index == 1 else np.sin)(angles).astype(np.float32)
        shape = static_shape_of(arg) or likely_shapes(self.func).get(arg.index)
        if shape is not None and len(shape) <= 2:
            shape = (self.tokens.every, *shape[1:])
        return random_input(name, arg, np.random.default_rng((seed, crc32(name.encode()))), shape)

    def calls(self, counts: Sequence[int]) -> list[Blobs]:
        """Return the inputs of calls with these numbers of tokens."""
        found: list[Blobs] = []
        past = 0
        for count in counts:
            part = slice(past, past + count)
            mask = np.triu(np.full((count, past + count), HIDDEN, np.float32), past + 1)
            call: dict[str, Array] = dict.fromkeys(self.masks, mask)
            for name, values in self.values.items():
                call[name] = self._part(values, part)
                if name in self.masks and values.shape[-1] == self.tokens.every:
                    call[name] = call[name][..., : part.stop]
            found.append(call)
            past += count
        return found

    def _part(self, values: Array, part: slice) -> Array:
        """Return the rows of some tokens; values without a row for each token stay whole."""
        axis = max(values.ndim - 2, 0)
        if not values.ndim or values.shape[axis] != self.tokens.every:
            return values
        return values[(slice(None),) * axis + (part,)]

    def decode(self, counts: Sequence[int], repeat: int = 1) -> Decoded:
        """Run calls with these numbers of tokens. Raises `RunError`."""
        with tempfile.TemporaryDirectory(prefix="ncnn-run-") as folder, Runtime(SECONDS) as runtime:
            files = self.source.files()
            param, weights = files or (f"{folder}/model.param", f"{folder}/model.bin")
            if files is None:
                export_module(self.source.module.clone()).save(param, weights)
            calls = self.calls(counts)
            found = runtime.decode(
                Path(param), calls, self.caches, self.outputs, weights=Path(weights), repeat=repeat
            )
        if isinstance(found, Failure):
            raise RunError(f"{self.source.path}: the ncnn runtime does not decode: {found.reason}")
        return found


def _needs_values(arg: BlockArgument, made: Set[str], name: str) -> bool:
    """Whether layers read an input that is not made here."""
    read = any(not isinstance(use.operation, ReturnOp) for use in readings(arg))
    return read and name not in made


def _is_mask(value: SSAValue) -> bool:
    """Whether attention layers read a blob as their mask, perhaps reversed, and nothing else reads
    it."""
    uses = [(use.operation, use.index) for use in readings(value)]
    return bool(uses) and all(
        _is_mask(op.results[0])
        if isinstance(op, FlipOp)
        else isinstance(op, Attention) and op.attn_mask and index == len(op.sequences(op.inputs))
        for op, index in uses
    )


@dataclass(frozen=True)
class Decoding:
    """The result of decoding."""

    lines: Sequence[str]
    agrees: bool
    blobs: Blobs
    """The outputs for all tokens."""


def decode(
    source: InputModel,
    given: Blobs,
    tokens: Tokens,
    *,
    seed: int = 0,
    repeat: int = 1,
    full: bool = False,
    other: InputModel | None = None,
    tolerance: float = 1e-3,
) -> Decoding:
    """Decode, and compare with one call for all tokens (`full`) or with another model. Raises
    `UsageError` and `RunError`."""
    check_runtime()
    decoder = Decoder(source, given, tokens, seed)
    found = decoder.decode(tokens.calls(), repeat)
    lines, agrees = speed(found.seconds, found.cache_bytes, tokens), True
    blobs = joined(found.blobs)
    if full:
        whole = joined(decoder.decode([tokens.every]).blobs)
        line, agrees = _difference("one call for all tokens", whole, blobs, tolerance)
        lines.append(line)
    if other is not None:
        theirs = joined(Decoder(other, decoder.values, tokens, seed).decode(tokens.calls()).blobs)
        if missing := [name for name in blobs if name not in theirs]:
            hint = nearest_or_all(missing[0], list(theirs), "outputs")
            raise UsageError(f"{other.path}: there is no output '{missing[0]}'{hint}")
        line, agrees = _difference(other.path, theirs, blobs, tolerance)
        lines.append(line)
    return Decoding(lines, agrees, blobs)


def speed(seconds: Sequence[float], cache_bytes: Sequence[int], tokens: Tokens) -> list[str]:
    """Return lines with the times of prefill and steps, and the size of the caches."""
    first, *others = seconds
    lines = [_rate(f"prefill, {tokens.prefill} tokens", first, tokens.prefill)]
    if others:
        middle = float(np.median(others))
        lines.append(_rate(f"decode, {tokens.steps} steps, each", middle, 1))
    lines.append(f"caches: {cache_bytes[-1]:,} bytes for {tokens.every} tokens")
    return lines


def _rate(what: str, seconds: float, tokens: int) -> str:
    rate = f", {tokens / seconds:,.0f} tokens/s" if seconds > 0 else ""
    return f"{what}: {1000 * seconds:.3g} ms{rate}"


def _difference(what: str, expected: Blobs, actual: Blobs, tolerance: float) -> tuple[str, bool]:
    """Return a line about the largest difference, and whether it is within the tolerance."""
    errors = {name: relative_error(expected[name], actual[name]) for name in actual}
    worst = max(errors, key=lambda name: errors[name])
    agrees = all(error <= tolerance for error in errors.values())
    how = "agrees with" if agrees else "differs from"
    line = f"{how} {what}: largest error {errors[worst]:.3g} at '{worst}'"
    return verdict(agrees, f"{line}, limit {tolerance:g}"), agrees


def joined(calls: Sequence[Blobs]) -> dict[str, Array]:
    """Return the outputs of all calls, joined along the tokens."""
    return {
        name: np.concatenate([call[name] for call in calls], max(calls[0][name].ndim - 2, 0))
        for name in calls[0]
    }
