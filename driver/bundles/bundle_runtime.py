"""Running a bundle in the ncnn runtime: token ids in, logits out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...frontends import ReadOptions
from ...interpreters.errors import RunError
from ...runtime.engines import SECONDS, check_runtime
from ...runtime.host import Array
from ...runtime.process import Blobs, Decoded, Failure, Generated, Runtime
from ..decoder import Decoder, Tokens
from ..errors import UsageError
from ..model_files import InputModel, read_model
from .manifest import PARTS, BundleManifest, Part


@dataclass(frozen=True)
class Logits:
    """The results of decoding tokens."""

    values: Array
    """A row for each token."""
    decoded: Decoded
    """The calls of the decoder."""


class Bundle:
    """The models of a folder."""

    def __init__(self, folder: Path) -> None:
        """Raises `OSError` and `UsageError`."""
        self.folder = folder
        self.manifest = BundleManifest.read(folder)

    def files(self, part: Part) -> tuple[Path, Path]:
        """Return the `.param` and `.bin` of a part."""
        param, weights = self.manifest.files[part]
        return self.folder / param, self.folder / weights

    def logits(
        self, ids: Sequence[int], prefill: int, encoded: Array | None = None, repeat: int = 1
    ) -> Logits:
        """Decode these tokens: the first ones in one call, and each further one in a call of its
        own. Raises `RunError` and `UsageError`."""
        check_runtime()
        manifest = self.manifest
        tokens = Tokens(prefill, len(ids) - prefill)
        ids_of = manifest.named("embed_token", "tokens") or "in0"
        fed = manifest.given("embed_token", len(ids)) | {ids_of: np.asarray(ids, np.int32)}
        hidden = self._run("embed_token", fed)
        given = self._given(len(ids), hidden, encoded)
        decoder = Decoder(self.source("decoder"), given, tokens, 0)
        decoded = decoder.decode(tokens.calls(), repeat)
        rows = np.concatenate([call["out0"] for call in decoded.blobs])
        head = manifest.named("proj_out", "hidden") or "in0"
        return Logits(self._run("proj_out", {head: rows}), decoded)

    def generate(
        self, prompt: Sequence[int], count: int, encoded: Array | None = None
    ) -> Generated:
        """Continue a prompt with so many tokens, each the most likely one. Raises `RunError` and
        `UsageError`."""
        check_runtime()
        manifest = self.manifest
        tokens = Tokens(len(prompt), count - 1)
        names = [
            manifest.named("embed_token", "tokens") or "in0",
            manifest.named("decoder", "hidden") or "in0",
            manifest.named("proj_out", "hidden") or "in0",
        ]
        unknown = np.zeros((tokens.every, 1), np.float32)  # the hidden states follow from tokens
        decoder = Decoder(
            self.source("decoder"), self._given(tokens.every, unknown, encoded), tokens, 0
        )
        positions = manifest.given("embed_token", tokens.every)
        calls: list[tuple[Blobs, Blobs]] = []
        past = 0
        for length, inputs in zip(tokens.calls(), decoder.calls(tokens.calls()), strict=True):
            part = slice(past, past + length)
            others = {name: values for name, values in inputs.items() if name != names[1]}
            calls.append(({name: values[part] for name, values in positions.items()}, others))
            past += length
        with Runtime(SECONDS * tokens.every) as runtime:
            files = [self.files(part) for part in PARTS]
            found = runtime.generate(files, calls, names, decoder.caches, prompt)
        if isinstance(found, Failure):
            raise RunError(f"{self.folder}: the ncnn runtime does not decode: {found.reason}")
        return found

    def _given(self, count: int, hidden: Array, encoded: Array | None) -> dict[str, Array]:
        """Return the decoder's inputs for so many steps. Raises `UsageError`."""
        manifest = self.manifest
        given = manifest.given("decoder", count)
        given[manifest.named("decoder", "hidden") or "in0"] = hidden
        if name := manifest.named("decoder", "encoded"):
            if encoded is None:
                raise UsageError(
                    f"{self.folder}: the decoder reads an encoder's output; give it as an array: "
                    f"--input {name}=FILE.npy"
                )
            given[name] = encoded
            given |= self._fixed({name: encoded})
        return given

    def source(self, part: Part) -> InputModel:
        """Return a part as a module. Raises one of `USER_ERRORS`."""
        param, weights = self.files(part)
        return read_model(str(param), ReadOptions(str(weights)))

    def _fixed(self, inputs: Mapping[str, Array]) -> dict[str, Array]:
        """Return the keys and values that are computed once."""
        if not self.manifest.fixed:
            return {}
        param, weights = self.files("decoder")
        with Runtime(SECONDS) as runtime:
            outputs = [*self.manifest.fixed.values()]
            found = runtime.run(param, inputs, outputs, weights=weights, light_mode=None)
        if isinstance(found, Failure):
            raise RunError(f"{param}: the ncnn runtime does not run it: {found.reason}")
        return {name: found[output] for name, output in self.manifest.fixed.items()}

    def _run(self, part: Part, inputs: Mapping[str, Array]) -> Array:
        """Return the output of a part."""
        param, weights = self.files(part)
        with Runtime(SECONDS) as runtime:
            found = runtime.run(param, inputs, ["out0"], weights=weights, light_mode=None)
        if isinstance(found, Failure):
            raise RunError(f"{param}: the ncnn runtime does not run it: {found.reason}")
        return found["out0"]
