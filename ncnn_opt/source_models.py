"""The Python API for models of PyTorch: `compare`, `export` and `export_decoder`."""

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from ncnn_opt.formats.weight_storage import BLOCK_BITS, BLOCK_SIZES, StorageOption

from .arguments import PATH, Expected, File, Seconds, Tolerance, validate_arguments
from .loaded_model import Model
from .values import reporting

if TYPE_CHECKING:
    from ncnn_opt.driver.bundles.bundle_export import ExportedDecoder
    from ncnn_opt.driver.pytorch_export import Exported
    from ncnn_opt.runtime.layerwise.comparison import SourceAgreement


def _is_source(value: object) -> bool:
    return callable(value) or PATH.accepts(value)


TorchSource = Annotated[
    Callable[..., Any] | str | os.PathLike[str],
    Expected("a callable of PyTorch, or the name of a .pnnx.param or TorchScript file", _is_source),
]


def _one_of(numbers: Sequence[int]) -> Expected:
    def is_one(value: object) -> bool:
        return value in numbers

    *first, last = map(str, numbers)
    return Expected(f"{', '.join(first)} or {last}", is_one)


Bits = Annotated[int, _one_of(BLOCK_BITS)]
BlockSize = Annotated[int, _one_of(BLOCK_SIZES)]


@validate_arguments
def compare(
    model: Model,
    source: TorchSource,
    inputs: Any = None,
    *,
    tolerance: Tolerance = 1e-3,
    engine: Literal["numpy", "ncnn"] = "numpy",
) -> "SourceAgreement":
    """Compare a model with the PyTorch model that it was converted from, layer by layer, and name
    the first layer that differs (docs/export.md). `source` is a module or a function of PyTorch, or
    the name of a `.pnnx.param` or of a TorchScript file.

    - `inputs`: PyTorch's inputs, a tensor or array with the batch axis or a list of these; by
      default random values.
    - `tolerance`: the largest accepted error of a blob, relative to its largest value.
    - `engine`: `"numpy"` or `"ncnn"` computes the model; if one cannot, the other does.

    The result is true if no layer differs; it has `differences` and `layers`, and prints as text.
    Raises `NcnnOptError`.
    """
    from ncnn_opt.driver.source_models import compare_model

    with reporting(model.path):
        return compare_model(
            model.module,
            model.path,
            source if callable(source) else os.fspath(source),
            inputs,
            tolerance=tolerance,
            engine=engine,
        )


@validate_arguments
def export(
    module: Any,
    example_inputs: Any,
    path: File,
    *,
    optimize: bool = True,
    fp16: bool = True,
    compare: bool = True,
    tolerance: Tolerance = 1e-3,
    engine: Literal["numpy", "ncnn"] = "numpy",
    keep_going: bool = False,
    timeout: Seconds = 1800,
) -> "Exported":
    """Convert a module of PyTorch with PNNX, repair and optimize the result, compare it with
    PyTorch, and write it to `path`, a `.param`, and to the `.bin` beside it.

    - `module`: a `torch.nn.Module`, or a model of Ultralytics.
    - `example_inputs`: a tensor with the batch axis, or a list of tensors.
    - `optimize`: whether the passes of `ncnn-opt -O` run.
    - `fp16`: whether the weights are float16.
    - `compare`: whether the result is compared, with `tolerance` and `engine` as for `compare`.
    - `keep_going`: whether a model that differs is written nevertheless.
    - `timeout`: the time limit of one run of PNNX in seconds.

    If PNNX fails, or the model differs, the module is converted by other routes. If no route leads
    to a model that agrees, that is an error that names the operator, and nothing is written, unless
    `keep_going` is true. The result is true if the model agrees; it has `steps` (what was done),
    `agreement` and `problem`, and prints as text. Raises `NcnnOptError`.
    """
    from ncnn_opt.driver.pytorch_export import ExportOptions, export_module

    path = os.fspath(path)
    several = isinstance(example_inputs, tuple | list)
    given: list[Any] = list(example_inputs) if several else [example_inputs]  # pyright: ignore
    with reporting(path):
        return export_module(
            module,
            given,
            path,
            ExportOptions(optimize, fp16, compare, tolerance, engine, keep_going, timeout),
        )


@validate_arguments
def export_decoder(
    model: Any,
    folder: File,
    *,
    storage: StorageOption = "fp16",
    bits: Bits | None = None,
    block: BlockSize = 64,
    compare: bool = True,
    tolerance: Tolerance = 1e-3,
    timeout: Seconds = 1800,
    caches: Literal["plain", "opaque"] = "plain",
    tokenizer: Any = None,
) -> "ExportedDecoder":
    """Convert a causal language model of `transformers`, or the model with random weights of a
    configuration, to a bundle in a folder: the embedding, the decoder with caches and the head as
    three models of ncnn, and a `model.json` that describes them (docs/decoders.md).

    - `storage`: the storage of the weights. With `bits`, the Gemms of decoder and head have weights
      of so many bits in blocks of `block`.
    - `compare`: whether the bundle, in float32, decodes in the ncnn runtime as PyTorch does:
      prefills of 1, 7 and 33 tokens and 20 steps after each. The most likely tokens must be equal,
      and the logits within `tolerance` of the largest.
    - `timeout`: the time limit of one run of PNNX in seconds.
    - `caches`: `plain` caches are ordinary blobs, which an application may copy and save. `opaque`
      caches have the runtime's own format: long sequences decode faster, and the application passes
      them on as they are.
    - `tokenizer`: a fast tokenizer of `transformers`, whose files become part of the bundle.

    If the bundle differs, that is an error, and nothing is written. The result is true if the
    bundle agrees; it has `steps` (what was done), `comparisons` and `stored` (those of the stored
    weights), and prints as text. Raises `NcnnOptError`.
    """
    from ncnn_opt.driver.bundles.bundle_export import BundleOptions, export_bundle

    folder = os.fspath(folder)
    with reporting(folder):
        options = BundleOptions(
            storage, bits, block, compare, tolerance, timeout, caches, tokenizer
        )
        return export_bundle(model, folder, options)
