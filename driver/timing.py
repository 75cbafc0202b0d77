"""The latency of models in the ncnn runtime."""

import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from numpy.typing import NDArray

from ..dialects.ncnn.function import input_name, output_names
from ..dialects.ncnn.lookup import model_of
from ..formats.param_text import read_param_text
from ..runtime.latency import Latency, measure
from ..runtime.stopwatch import Timed
from ..targets.param.export import export_module
from .files import Source

Blobs = Mapping[str, NDArray[Any]]


def time_models(sources: Sequence[Source], inputs: Blobs, repeat: int, threads: int = 1) -> Latency:
    """Measure one model, or two in turn, on the same inputs. The runtime loads the original files
    if it can. Raises `RunError`, and the errors of writing a model."""
    with ExitStack() as stack:
        models = [timed_model(source, inputs, stack) for source in sources]
        return measure([source.path for source in sources], models, repeat, threads)


def timed_model(source: Source, inputs: Blobs, stack: ExitStack) -> Timed:
    """Return a model in files for the runtime, with its inputs and layers. Temporary files go with
    the stack."""
    func = model_of(source.module)
    files = source.files()
    if files is None:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="ncnn-run-"))
        files = f"{folder}/model.param", f"{folder}/model.bin"
        export_module(source.module.clone()).save(*files)
    with open(files[0], "rb") as f:
        records = read_param_text(f.read(), files[0]).layers
    layers = [(r.tops[0], f"{r.type} '{r.name}'") for r in records if r.tops and r.bottoms]
    names = [input_name(func, i) for i in range(len(func.args))]
    fed = {name: inputs[name] for name in names if name in inputs}
    return Timed(files[0], files[1], fed, output_names(func), layers)
