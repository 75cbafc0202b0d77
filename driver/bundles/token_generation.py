"""Decoding of a bundle as a command: a prompt, then tokens of which each is the most likely one."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from ...dialects.ncnn.embedding import EmbedOp
from ...dialects.ncnn.lookup import model_of
from ...formats.numpy_arrays import read_numpy
from ...formats.verdicts import verdict
from ...runtime.differences import relative_error
from ...runtime.host import Array
from ...samples.images import Preprocessing
from ..decoder import Decoding, Tokens, speed
from ..errors import UsageError
from ..input_values import read_inputs
from .bundle_runtime import Bundle
from .tokenizer import TOKENIZER


@dataclass(frozen=True)
class BundleRequest:
    """What `ncnn-run` decodes of a bundle."""

    folder: str
    decode: str
    """`STEPS` after the prompt, or `PREFILL+STEPS` for random tokens."""
    tokens: str | None
    """The prompt: ids with commas between them, or a `.npy`."""
    prompt: str | None
    """The prompt as text."""
    input: Sequence[str]
    """The output of an encoder, as `NAME=FILE`."""
    seed: int
    repeat: int
    compare: str | None
    """`full`, or the folder of another bundle."""
    full: bool
    tolerance: float


def decode_bundle(request: BundleRequest) -> Decoding:
    """Decode, and compare with one call for all tokens or with another bundle. The blobs are the
    tokens and, after a comparison, the logits. Raises `UsageError` and `RunError`."""
    bundle = Bundle(Path(request.folder))
    text = _tokenizer(bundle.folder) if request.prompt is not None else None
    words = _words(bundle)
    prompt, steps = _prompt(request, words, text)
    encoded = _encoded(request, bundle)
    if wrong := [i for i in prompt if not 0 <= i < words]:
        raise UsageError(f"{bundle.folder}: there is no token {wrong[0]}: ids are 0 to {words - 1}")
    found = bundle.generate(prompt, steps, encoded)
    for _ in range(request.repeat - 1):
        again = bundle.generate(prompt, steps, encoded)
        found = min((found, again), key=lambda each: sum(each.seconds))
    lines = [f"tokens: {' '.join(map(str, found.tokens))}"]
    if text is not None:
        lines.append(f"text: {text.decode([*found.tokens])!r}")
    lines += speed(found.seconds, found.cache_bytes, Tokens(len(prompt), steps - 1))
    blobs: dict[str, Array] = {"tokens": np.asarray(found.tokens, np.int32)}
    agrees = True
    if request.compare is not None:
        ids = [*prompt, *found.tokens[:-1]]
        ours = bundle.logits(ids, len(prompt), encoded).values
        other = bundle if request.full else Bundle(Path(request.compare))
        prefill = len(ids) if request.full else len(prompt)
        theirs = other.logits(ids, prefill, encoded).values
        blobs["logits"] = ours
        what = "one call for all tokens" if request.full else request.compare
        line, agrees = _difference(what, theirs, ours, len(prompt), request.tolerance)
        lines.append(line)
    return Decoding(lines, agrees, blobs)


def _prompt(request: BundleRequest, words: int, text: Any) -> tuple[list[int], int]:
    """Return the ids of the prompt, and the number of tokens after it."""
    prefill, plus, steps = request.decode.rpartition("+")
    if not steps.isdecimal() or not int(steps) or (plus and not prefill.isdecimal()):
        raise UsageError(f"--decode takes STEPS or PREFILL+STEPS, not '{request.decode}'")
    if plus and (request.tokens is not None or text is not None):
        raise UsageError(f"--decode takes the steps after the prompt only: --decode {steps}")
    if text is not None:
        ids = [*text.encode(request.prompt).ids]
    elif request.tokens is not None:
        ids = _ids(request.tokens)
    elif plus and int(prefill):
        rng = np.random.default_rng(request.seed)
        ids = [int(i) for i in rng.integers(0, words, int(prefill))]
    else:
        raise UsageError(
            "there is no prompt: give --tokens 1,2,3, --prompt TEXT, or --decode PREFILL+STEPS for "
            "random tokens"
        )
    if not ids:
        raise UsageError("the prompt has no token")
    return ids, int(steps)


def _ids(text: str) -> list[int]:
    """Parse `--tokens`. Raises `UsageError`."""
    if text.endswith(".npy"):
        values = read_numpy(text, text)
        if not isinstance(values, np.ndarray) or values.ndim != 1 or values.dtype.kind not in "iu":
            raise UsageError(f"{text}: --tokens takes a .npy of integers in one dimension")
        return [int(i) for i in values]
    words = text.split(",")
    if not all(word.strip().isdecimal() for word in words):
        raise UsageError(f"--tokens takes ids with commas between them or a .npy, not '{text}'")
    return [int(word) for word in words]


def _words(bundle: Bundle) -> int:
    """Return the number of tokens that the embedding knows. Raises `UsageError`."""
    source = bundle.source("embed_token")
    for op in model_of(source.module).walk():
        if isinstance(op, EmbedOp):
            return op.input_dim
    raise UsageError(f"{source.path}: it has no Embed layer, so it embeds no tokens")


def _tokenizer(folder: Path) -> Any:
    path = folder / TOKENIZER
    if not path.is_file():
        raise UsageError(
            f"{folder} has no {TOKENIZER}: export_decoder writes one with tokenizer=…; --tokens "
            "takes ids"
        )
    try:
        tokenizers: Any = import_module("tokenizers")
    except ImportError as e:
        raise UsageError(
            "--prompt needs the package tokenizers: pip install 'ncnn-opt[tokenizers]'"
        ) from e
    try:
        return tokenizers.Tokenizer.from_file(str(path))
    except Exception as e:  # tokenizers raises nothing more specific
        raise UsageError(f"{path}: {e}") from e


def _encoded(request: BundleRequest, bundle: Bundle) -> Array | None:
    """Return the output of an encoder, if it is given."""
    if not request.input:
        return None
    name = bundle.manifest.named("decoder", "encoded")
    if name is None:
        raise UsageError(f"{bundle.folder}: the decoder reads no encoder's output; omit --input")
    func = model_of(bundle.source("decoder").module)
    given = read_inputs(func, request.input, Preprocessing(), request.seed)
    if [*given] != [name]:
        raise UsageError(f"{bundle.folder}: --input is for '{name}' only")
    return given[name]


def _difference(
    what: str, expected: Array, actual: Array, prompt: int, tolerance: float
) -> tuple[str, bool]:
    """Return a line about the largest difference of logits, and whether it is within the tolerance
    and the most likely tokens are equal."""
    error = relative_error(expected, actual)
    first, second = (values[prompt - 1 :].argmax(1) for values in (expected, actual))
    equal = int((first == second).sum())
    agrees = error <= tolerance and equal == len(first)
    how = "agrees with" if agrees else "differs from"
    line = f"{how} {what}: largest error of logits {error:.3g}, {equal} of {len(first)} tokens"
    return verdict(agrees, f"{line}, limit {tolerance:g}"), agrees
