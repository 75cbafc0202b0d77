"""From a causal model of `transformers` to a bundle: its parts are converted, compared with PyTorch
token by token, and written."""

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...analysis.caches import attentions_with_cache
from ...dialects.ncnn.function import inputs_of, output_names
from ...dialects.ncnn.lookup import model_of
from ...formats.displays import Displayed
from ...formats.verdicts import verdict
from ...formats.weight_storage import StorageOption
from ...frontends import ReadOptions
from ...interpreters.errors import RunError
from ...interpreters.source.callables import evaluating
from ...interpreters.source.source_steps import as_array, check_torch, import_torch
from ...runtime.differences import relative_error
from ...targets import Output
from ...targets.atomic_files import OutputFiles
from ...targets.output_checks import Origin
from ..api_pipelines import passes_of_optimize
from ..errors import UsageError
from ..model_files import read_model, write_model
from ..pipelines import make_pass, run_pipeline, share_heads
from ..pytorch_export import ExportOptions, export_module
from .bundle_runtime import Bundle
from .causal_models import CausalModel
from .manifest import FILE, BundleInput, BundleManifest, CacheFormat, Part
from .parts import write_embedding, write_head
from .tokenizer import write_tokenizer

PREFILLS = (1, 7, 33)
"""The numbers of tokens of the first call in a comparison."""
STEPS = 20
"""The calls for one token each after it."""

EXAMPLE_STEPS = (7, 11, 13, 17, 19)
"""The number of steps of the example: the first that is no other extent of the model."""

COMPARISON_HEADS = ("weights", "prefill", "steps", "error", "same tokens", "different tokens")


@dataclass(repr=False)
class DecodingComparison(Displayed):
    """A comparison of decoding with one call of PyTorch for all tokens."""

    prefill: int
    error: float
    """The largest difference of logits, relative to the largest logit."""
    same_tokens: bool
    """Whether the most likely token is the same after each step."""
    distinct: int
    """The number of different tokens among these."""

    def heading(self) -> str:
        """Return the comparison in one line."""
        return str(self)

    def table_rows(self) -> Sequence[Sequence[str]]:
        """Return one row."""
        return [COMPARISON_HEADS, self.cells("compared")]

    def cells(self, label: str) -> Sequence[str]:
        """Return the row of a table with this label."""
        error, same = f"{self.error:.3g}", "yes" if self.same_tokens else "no"
        return (label, str(self.prefill), str(STEPS), error, same, str(self.distinct))

    def __str__(self) -> str:
        tokens = "the same tokens" if self.same_tokens else "other tokens"
        return (
            f"prefill of {self.prefill} tokens and {STEPS} steps: largest error {self.error:.3g}, "
            f"{tokens} ({self.distinct} different ones)"
        )


@dataclass(repr=False)
class ExportedDecoder(Displayed):
    """The result of `export_decoder`. It is true if the bundle agrees with PyTorch."""

    folder: str
    steps: list[str] = field(default_factory=list[str])
    """A line for each thing that was done."""
    comparisons: list[DecodingComparison] = field(default_factory=list[DecodingComparison])
    """The comparisons of the float32 bundle."""
    stored: list[DecodingComparison] = field(default_factory=list[DecodingComparison])
    """The comparisons of the bundle as it is stored, if that is not float32."""
    seconds: float = 0.0
    """The time of the export without the comparisons."""
    tolerance: float = 1e-3

    def __bool__(self) -> bool:
        return all(each.same_tokens and each.error <= self.tolerance for each in self.comparisons)

    def heading(self) -> str:
        """Return the folder and the verdict."""
        if not self.comparisons:
            return f"{self.folder}: not compared"
        worst = max(each.error for each in self.comparisons)
        reason = f"largest error of decoding: {worst:.3g}, limit {self.tolerance:g}"
        if not all(each.same_tokens for each in self.comparisons):
            reason = f"other tokens than PyTorch's; {reason}"
        return f"{self.folder}: {verdict(bool(self), reason)}"

    def table_rows(self) -> Sequence[Sequence[str]]:
        """Return a row for each comparison with PyTorch, of float32 and of the stored weights, the
        largest error first."""
        found = [(each, "float32") for each in self.comparisons]
        found += [(each, "as stored") for each in self.stored]
        found.sort(key=lambda pair: pair[0].error, reverse=True)
        return [COMPARISON_HEADS, *(each.cells(label) for each, label in found)]

    def __str__(self) -> str:
        """Return the steps, and the comparisons."""
        return "\n".join([*self.steps, *map(str, self.comparisons)])


@dataclass(frozen=True)
class BundleOptions:
    """The options of an export."""

    storage: StorageOption = "fp16"
    bits: int | None = None
    block: int = 64
    compare: bool = True
    tolerance: float = 1e-3
    timeout: float = 1800
    caches: CacheFormat = "plain"
    tokenizer: Any = None
    """A fast tokenizer of `transformers`."""


def export_bundle(model: Any, folder: str, options: BundleOptions) -> ExportedDecoder:
    """Export a causal model. Raises one of `USER_ERRORS`, also if the result differs from PyTorch;
    nothing is written then."""
    check_torch()
    result = ExportedDecoder(folder, tolerance=options.tolerance)
    model = _loaded(model)
    start = monotonic()
    with tempfile.TemporaryDirectory(prefix="ncnn-opt-bundle-") as name, evaluating(model):
        scratch = Path(name)
        parts = CausalModel(model)
        _write_parts(parts, scratch, options, result)
        result.seconds = monotonic() - start
        if options.compare:
            result.comparisons = compare(parts, scratch)
            if not result:
                lines = "; ".join(map(str, result.comparisons))
                raise RunError(
                    f"the bundle differs from PyTorch, and {folder} is not written: {lines}"
                )
        start = monotonic()
        if _store(scratch, options, result):
            result.seconds += monotonic() - start
            if options.compare:
                result.stored = compare(parts, scratch)
                result.steps += [f"stored: {each}" for each in result.stored]
        _tie(scratch, result)
        _publish(scratch, Path(folder))
        result.steps.append(f"wrote {folder}")
    return result


def _loaded(model: Any) -> Any:
    """Return a model: for a configuration of `transformers`, one with random weights."""
    if callable(getattr(model, "forward", None)):
        return model
    if not hasattr(model, "model_type"):
        raise UsageError(
            "export_decoder takes a causal language model of transformers or its configuration, "
            f"not a value of type {type(model).__name__}"
        )
    transformers = import_torch("transformers")
    try:
        return transformers.AutoModelForCausalLM.from_config(model).eval()
    except ValueError as e:  # the configuration of another kind of model
        raise UsageError(f"transformers makes no causal language model of it: {e}") from e


# -- the parts


def _write_parts(
    parts: CausalModel, folder: Path, options: BundleOptions, result: ExportedDecoder
) -> None:
    """Write all parts in float32, and their description."""
    files = {part: (f"{part}.ncnn.param", f"{part}.ncnn.bin") for part in _PARTS}
    table, factor = parts.table()
    positions = parts.positions()
    write_embedding(folder / files["embed_token"][0], table, factor, positions)
    weight, bias = as_array(parts.head.weight), as_array(parts.head.bias)
    assert weight is not None
    write_head(folder / files["proj_out"][0], weight, bias)
    path = str(folder / files["decoder"][0])
    module = parts.decoder()
    steps = _example_steps(parts)
    example = parts.example(steps)
    plain = ExportOptions(optimize=False, fp16=False, compare=False, timeout=options.timeout)
    result.steps += export_module(module, example, path, plain).steps[:-1]
    source = read_model(path, ReadOptions())
    run_pipeline(source.module, passes_of_decoder(source.module, parts, steps), path)
    layers = len([*attentions_with_cache(model_of(source.module))])
    fixed = _fixed(source.module)
    result.steps.append(f"gave {layers} attention layers caches")
    if options.caches == "plain":
        run_pipeline(source.module, ["unfuse-kv-cache", "eliminate-duplicate-layers"], path)
    write_model(source.module, Output(path, origin=Origin(path)))
    rotations = [each.rotation for each in parts.angles]
    theta = parts.angles[0].theta if len(parts.angles) == 1 else None
    tokens = [BundleInput("in0", "tokens")]
    if positions is not None:
        tokens.append(BundleInput("in1", "positions"))
    inputs = {
        "embed_token": tokens,
        "decoder": parts.inputs(),
        "proj_out": [BundleInput("in0", "hidden")],
    }
    manifest = BundleManifest(files, inputs, layers, rotations, fixed, theta, options.caches)
    if options.tokenizer is not None:
        manifest.tokenizer = write_tokenizer(options.tokenizer, folder)
        result.steps.append("wrote the tokenizer")
    (folder / FILE).write_text(manifest.text(), encoding="utf-8")


_PARTS: tuple[Part, ...] = ("embed_token", "decoder", "proj_out")


def passes_of_decoder(module: ModuleOp, parts: CausalModel, steps: int) -> list[ModulePass]:
    """Return the passes for a decoder that was exported for so many steps: those of -O, which know
    the extents of the tables of rotations, and the passes that add caches."""
    tables = [each for each in parts.inputs() if each.role in ("cos", "sin")]
    widths = [len(parts.angles[each.rotation].rotation.inv_freq) for each in tables]
    shapes = [f"{each.name}:{steps}x{width}" for each, width in zip(tables, widths, strict=True)]
    known = [make_pass("ncnn-specialize-shapes", fixed=tuple(shapes))] if shapes else []
    caches = [make_pass("add-kv-cache"), *share_heads()]
    return [*known, *passes_of_optimize(module), *caches]


def _fixed(module: ModuleOp) -> dict[str, str]:
    """Return the inputs that cross-attention reads and the outputs that compute them."""
    func = model_of(module)
    cached = {
        name for op in attentions_with_cache(func) for name in _names(op.past(op.inputs), func)
    }
    outputs = {*output_names(func)}
    return {
        name: f"out_{name}"
        for name in inputs_of(func)
        if name not in cached and f"out_{name}" in outputs
    }


def _names(values: Sequence[Any], func: Any) -> list[str]:
    by_value = {arg: name for name, arg in inputs_of(func).items()}
    return [by_value[v] for v in values if v in by_value]


def _example_steps(parts: CausalModel) -> int:
    extents = {n for p in parts.base.parameters() for n in p.shape}
    config = parts.config
    for name in (
        "num_attention_heads",
        "num_key_value_heads",
        "head_dim",
        "decoder_attention_heads",
    ):
        extents.add(getattr(config, name, 0) or 0)
    return next((n for n in EXAMPLE_STEPS if n not in extents), EXAMPLE_STEPS[-1])


# -- storage


def _store(folder: Path, options: BundleOptions, result: ExportedDecoder) -> bool:
    """Store the weights as asked. Return whether that changed something."""
    manifest = BundleManifest.read(folder)
    if options.storage == "fp32" and options.bits is None:
        return False
    for part, (param, _) in manifest.files.items():
        path = str(folder / param)
        source = read_model(path, ReadOptions())
        if options.bits is not None and part != "embed_token":
            step = make_pass("quantize-weights", bits=options.bits, block=options.block)
            run_pipeline(source.module, [step], path)
        if options.storage != "fp32":
            run_pipeline(source.module, [make_pass("convert-storage", options.storage)], path)
        write_model(source.module, Output(path, origin=Origin(path)))
    bits = "" if options.bits is None else f", Gemms in {options.bits} bits"
    result.steps.append(f"stored the weights as {options.storage}{bits}")
    return True


def _tie(folder: Path, result: ExportedDecoder) -> None:
    """Let embedding and head have one `.bin`, if they have the same weights."""
    manifest = BundleManifest.read(folder)
    names = [manifest.files[part][1] for part in ("embed_token", "proj_out")]
    first, second = (folder / name for name in names)
    if first.read_bytes() != second.read_bytes():
        return
    second.unlink()
    manifest.files["proj_out"] = (manifest.files["proj_out"][0], names[0])
    (folder / FILE).write_text(manifest.text(), encoding="utf-8")
    result.steps.append(f"embedding and head have their weights in {names[0]}")


def _publish(scratch: Path, folder: Path) -> None:
    """Write all files of a bundle: all or none."""
    folder.mkdir(parents=True, exist_ok=True)
    with OutputFiles() as files:
        for path in sorted(scratch.iterdir(), key=lambda path: path.name == FILE):
            with path.open("rb") as given:
                shutil.copyfileobj(given, files.create(str(folder / path.name), "wb"))


# -- comparison


def compare(parts: CausalModel, folder: Path) -> list[DecodingComparison]:
    """Compare greedy decoding of random tokens with one call of PyTorch for all of them."""
    bundle = Bundle(folder)
    rng = np.random.default_rng(0)
    words = parts.embedding.weight.shape[0]
    encoded = None
    if parts.crosses:
        encoded = rng.standard_normal((13, parts.width)).astype(np.float32)
    found: list[DecodingComparison] = []
    for prefill in PREFILLS:
        ids = [int(i) for i in rng.integers(0, words, prefill)]
        for _ in range(STEPS):
            ids.append(int(parts.full_logits(ids, encoded)[-1].argmax()))
        expected = parts.full_logits(ids, encoded)
        actual = bundle.logits(ids, prefill, encoded).values
        error = relative_error(expected, actual)
        ours, theirs = (values[prefill - 1 :].argmax(1) for values in (actual, expected))
        same = bool((ours == theirs).all())
        found.append(DecodingComparison(prefill, error, same, len({*theirs.tolist()})))
    return found
