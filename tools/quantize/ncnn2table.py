"""The work of `ncnn-table`."""

import re
from collections.abc import Mapping, Sequence

from ...dialects.ncnn.lookup import model_of
from ...dialects.xdsl_extras.spelling import nearest
from ...driver.errors import UsageError
from ...driver.files import read_model
from ...driver.listed_samples import read_listed
from ...driver.messages import tell
from ...formats.scale_table import write_scale_table
from ...frontends import ReadOptions
from ...quantization.collecting import PARTIAL, calibrate_table
from ...quantization.thresholds import METHODS
from ...targets.files import write_file
from .printing import Printer

KEYS = ("mean", "norm", "shape", "pixel", "thread", "method", "type")


def write_table(arguments: Sequence[str], usage: str) -> None:
    """Write the scale table that the arguments of ncnn2table specify. Raises `UsageError` for other
    arguments, and one of `USER_ERRORS`."""
    words = [word for word in arguments if not _is_pair(word)]
    if len(words) == 3:
        raise UsageError("a table without samples is for `ncnn-quantize --weights-only`")
    if len(words) != 4:
        raise UsageError(f"4 arguments are needed before KEY=VALUE, not {len(words)}\n{usage}")
    param, weights, lists, output = words
    values = _values([word for word in arguments if _is_pair(word)])
    source, printer = read_model(param, ReadOptions(weights)), Printer("")
    for message in source.warnings:
        printer.on_warning(message)
    func = model_of(source.module)
    samples = read_listed(func, values, lists, [param, weights], output, printer)
    jobs, method = _thread_count(values), values.get("method", "kl")
    methods, partial = (method, "aciq" if method == "aciq" else "minmax"), output + PARTIAL
    with printer:
        module = source.module
        table = calibrate_table(
            module, samples, param, printer, *methods, jobs=jobs, partial=partial
        )
        write_file(output, write_scale_table(table))
    for name, (scale,) in table.blobs.items():
        threshold = 127 / float(scale)
        tell(
            f"{name:<40} : threshold = {threshold:<15g}  scale = {scale:<15g}",
            {"layer": name, "threshold": threshold, "scale": float(scale)},
        )


def _is_pair(word: str) -> bool:
    return re.match(r"[a-z]+=", word) is not None


def _values(words: Sequence[str]) -> dict[str, str]:
    """Return the values of KEY=VALUE pairs. Raises `UsageError`."""
    values: dict[str, str] = {}
    for word in words:
        key, _, value = word.partition("=")
        if key not in KEYS:
            raise UsageError(f"there is no '{key}='{nearest(key, KEYS)}")
        values[key] = value
    if values.get("method") == "eq":
        raise UsageError("method=eq is not supported: use method=mse, the nearest one")
    for key, known in (("method", METHODS), ("type", ("0", "1"))):
        if key in values and values[key] not in known:
            raise UsageError(f"{key} is {' or '.join(known)}, not '{values[key]}'")
    return values


def _thread_count(values: Mapping[str, str]) -> int | None:
    text = values.get("thread")
    if text is not None and (not text.isdecimal() or int(text) == 0):
        raise UsageError(f"thread is a positive number, not '{text}'")
    return None if text is None else int(text)
