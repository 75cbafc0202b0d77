"""Certificates of a run: the file of `--certificate`, and its check.

The check repeats the run and proves each rewrite again, so a recipient need not trust the run that
wrote the result.
"""

import json
import os
import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from typing import Any, cast

from ..formats.errors import parsing
from ..formats.file_names import weights_beside
from ..frontends import ReadOptions
from ..proofs.step_proofs import SOLVER
from ..runtime.process import Runtime
from ..targets.atomic_files import check_writable, write_file
from .errors import UsageError
from .messages import print_note
from .model_files import InputModel
from .optimizer import Optimizer
from .pipelines import passes_in, pipeline_text
from .replay import Replay
from .requests import Request
from .rewrite_proofs import RewriteError, RewriteProofs, count, record_of

FORMAT = "ncnn-opt certificate 1"

OPTIONS = ("optimize", "for_ncnn", "max_rewrites", "fold_limit")
"""The fields of a request that a run depends on, beside its passes and the options of reading."""


@contextmanager
def certifying(request: Request, source: InputModel, proofs: RewriteProofs) -> Generator[None]:
    """Write the certificate of the run in the block, which writes the model. Raises `UsageError`
    and `OSError`."""
    path, output = request.certificate, request.output_file
    assert path is not None
    assert output is not None
    files = source.files() if source.kind == "param" else None
    if source.kind == "param.bin" and source.origin.weights is not None:
        files = source.path, source.origin.weights
    if files is None or not os.path.isfile(files[1]):
        raise UsageError(f"--certificate is for a .param with its .bin, not for '{source.path}'")
    check_writable(path)
    inputs = hashes_of(*files)
    yield
    data = certificate(request, inputs, hashes_of(output, weights_beside(output)), proofs)
    text = json.dumps(data, indent=1, ensure_ascii=False)
    write_file(path, f"{text}\n")


def certificate(
    request: Request, inputs: Mapping[str, str], outputs: Mapping[str, str], proofs: RewriteProofs
) -> dict[str, Any]:
    """Return a certificate as JSON data."""
    steps = [record_of(step) for step in proofs.steps]
    options: dict[str, Any] = {"passes": pipeline_text(request.passes)}
    options |= {name: getattr(request, name) for name in OPTIONS}
    reading = request.reading
    custom = {name: list(counts) for name, counts in reading.custom_weights.items()}
    options |= {"custom_weights": custom, "allow_trailing": reading.allow_trailing}
    return {
        "format": FORMAT,
        "versions": versions_for(steps),
        "options": options,
        "input": inputs,
        "output": outputs,
        "summary": {"steps": len(steps), **count(step["status"] for step in steps)},
        "steps": steps,
    }


def versions_for(steps: Sequence[Any]) -> dict[str, str | None]:
    """Return the versions of the packages that the proofs of some steps depend on."""
    names = ["ncnn-opt", "xdsl", "numpy"]
    methods = (cast(Any, step).get("method") for step in steps if isinstance(step, dict))
    if any(isinstance(each, str) and each.startswith(SOLVER) for each in methods):
        names.append("z3-solver")
    return {name: _version(name) for name in names}


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def hashes_of(graph: str, weights: str) -> dict[str, str]:
    """Return the SHA-256 of a model's files. Raises `OSError`."""
    return {"graph": _hash_of(graph), "weights": _hash_of(weights)}


def _hash_of(path: str) -> str:
    with open(path, "rb") as f:
        return sha256(f.read()).hexdigest()


def check_certificate(path: str, model: str, result: str, weights: str | None = None) -> str:
    """Repeat the run of a certificate on a model, prove each step, and compare the result. Return a
    summary. `weights` is the weight file of the model, by default the file beside it.

    Raises one of `USER_ERRORS`, with the first step that fails.
    """
    data = _read(path)
    known = {"format", "versions", "options", "input", "output", "summary", "steps"}
    if data.get("format") != FORMAT or data.keys() != known or type(data["steps"]) is not list:
        raise UsageError(f"'{path}' is no certificate of this ncnn-opt; --certificate writes one")
    steps = cast(list[Any], data["steps"])
    inputs = hashes_of(model, weights or weights_beside(model))
    outputs = hashes_of(result, weights_beside(result))
    for names, found, key in (
        ((model, weights or weights_beside(model)), inputs, "input"),
        ((result, weights_beside(result)), outputs, "output"),
    ):
        for name, part in zip(names, found, strict=True):
            if not isinstance(data[key], dict) or data[key].get(part) != found[part]:
                raise RewriteError(f"'{name}' is not the {key} of '{path}': another SHA-256")
        if data[key] != found:
            raise RewriteError(f"'{path}' has other fields of its {key}; --certificate writes it")
    proofs = RewriteProofs(print_note, expected=steps)
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="ncnn-opt-"))
        if Runtime.is_there():
            proofs.replay = stack.enter_context(Replay())
        ending = ".param.bin" if result.endswith(".param.bin") else ".param"
        output = os.path.join(folder, f"model{ending}")
        request = _request(path, data["options"], model, output, weights)
        own = certificate(request, inputs, outputs, proofs) | {"versions": versions_for(steps)}
        _compare(path, data, own, ("versions", "options"))
        Optimizer(request, proofs).optimize()
        if len(proofs.steps) < len(steps):
            number = len(proofs.steps) + 1
            raise RewriteError(f"step {number} of the certificate fails: the run does not have it")
        _compare(path, data, certificate(request, inputs, outputs, proofs), ("summary",))
        made = hashes_of(output, weights_beside(output))
        for name, part in ((result, "graph"), (weights_beside(result), "weights")):
            if made[part] != outputs[part]:
                raise RewriteError(f"'{name}' is not the result of the steps of '{path}'")
    return proofs.summary()


def _read(path: str) -> dict[str, Any]:
    with open(path, "rb") as f, parsing(path, "the file is not a certificate"):
        data = json.loads(f.read())
    return cast(dict[str, Any], data) if isinstance(data, dict) else {}


def _compare(path: str, data: Mapping[str, Any], own: Mapping[str, Any], keys: Any) -> None:
    """Raise `UsageError` unless two certificates have equal fields."""
    for key in keys:
        if data[key] != own[key]:
            raise UsageError(
                f"'{path}' has other {key}: {json.dumps(data[key])}, and the run has "
                f"{json.dumps(own[key])}"
            )


def _request(path: str, options: Any, model: str, output: str, weights: str | None) -> Request:
    """Return the request of a certificate. Raises `UsageError` for options that are none."""
    types = {
        "passes": str,
        "optimize": bool,
        "for_ncnn": str | None,
        "max_rewrites": int | None,
        "fold_limit": int,
        "custom_weights": dict,
        "allow_trailing": bool,
    }
    if not isinstance(options, dict) or options.keys() != types.keys():
        raise UsageError(f"'{path}' has unknown options; --certificate writes others")
    given = cast(dict[str, Any], options)
    for name, type_ in types.items():
        if not isinstance(given[name], type_):
            raise UsageError(f"'{path}': the option {name} cannot be {json.dumps(given[name])}")
    reading = ReadOptions(weights, given["allow_trailing"], given["custom_weights"])
    passes, others = passes_in(given["passes"]), {name: given[name] for name in OPTIONS}
    return Request(model, output, passes, reading, to_text=False, verify_rewrites=True, **others)
