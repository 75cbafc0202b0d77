"""`ncnn_opt.quantize`: the options, defaults and files of `ncnn-quantize`."""

from dataclasses import MISSING, fields, replace
from inspect import signature
from pathlib import Path
from typing import Any, get_args, get_type_hints

import numpy as np
import pytest
from ncnn_opt.formats.scale_table import write_scale_table
from ncnn_opt.quantization.blob_errors import BlobError
from ncnn_opt.quantization.recipe import FloatStorage, Method, Recipe, WeightMethod
from ncnn_opt.tools import ncnn_quantize_main
from ncnn_opt.tools.quantize.command_parsers import DEFAULT, PARSERS

import ncnn_opt

from .test_quantize import data, small_net

LOADING = {"weights", "pnnx", "custom_weights", "allow_trailing_weights"}
"""Options of `ncnn_opt.load`."""
SAMPLES = {"images", "data", "list", "samples", "mean", "norm", "to_rgb", "resize"}
"""Options that make arrays of files: `samples` has arrays."""
FILES = {"output", "output_weights", "output_table", "json", "html"}
"""Files of results: `save`, `table.save` and `evaluation` in Python."""
MANY = {"output_dir", "resume", "summary", "keep_going", "options"}
"""Options for many models."""
PRINTING = {"help", "version", "print_completion", "quiet", "remarks", "log"}
RENAMED = {"input_shape": "shapes", "custom_layer": "custom_layers"}


def options() -> dict[str, Any]:
    """The actions of the parser by destination."""
    return {action.dest: action for action in PARSERS[DEFAULT]()._actions}  # pyright: ignore


def test_each_option_of_the_command_is_a_parameter() -> None:
    elsewhere = LOADING | SAMPLES | FILES | MANY | PRINTING
    assert elsewhere <= options().keys()
    wanted = {RENAMED.get(name, name) for name in options().keys() - elsewhere}
    assert wanted | {"samples"} == set(signature(ncnn_opt.quantize).parameters)


def test_defaults_are_the_same() -> None:
    parameters = signature(ncnn_opt.quantize).parameters
    for name, action in options().items():
        if name in parameters and name not in ("model", "samples"):
            expected = action.default if action.default != [] else ()
            assert parameters[name].default == expected, name
    for field in fields(Recipe):
        made = field.default_factory is not MISSING
        expected = None if made else field.default
        assert parameters[field.name].default == expected, field.name


def test_choices_are_the_same() -> None:
    hints = get_type_hints(Recipe)
    for name, kind in (
        ("method", Method),
        ("weight_method", WeightMethod),
        ("storage", FloatStorage),
    ):
        assert set(get_args(kind)) == set(options()[name].choices), name
        assert hints[name] in (kind, kind | None)


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ncnn_opt.Model:
    monkeypatch.chdir(tmp_path)
    np.save("data.npy", data())
    return ncnn_opt.load(small_net().write(tmp_path, "model"))


def same_files(one: str, other: str) -> bool:
    return all(
        Path(f"{one}.{ending}").read_bytes() == Path(f"{other}.{ending}").read_bytes()
        for ending in ("param", "bin")
    )


def test_gptq_equalization_and_search_give_the_files_of_the_command(model: ncnn_opt.Model) -> None:
    changes = ["--gptq", "--equalize", "--method", "mse", "--min-snr", "45", "--storage", "fp16"]
    ncnn_quantize_main.main(
        ["model.param", "--data", "data.npy", "-j1", "-O", *changes, "-o", "c.param"]
    )
    result = ncnn_opt.quantize(
        model,
        data(),
        optimize=True,
        gptq=True,
        equalize=True,
        method="mse",
        min_snr=45,
        storage="fp16",
        measure=True,
        jobs=1,
    )
    ncnn_opt.save(model, "own.param")
    assert same_files("own", "c")
    assert result.kept
    assert result.evaluation is not None
    assert result.evaluation.error <= 10**-4.5
    assert [record.outcome for record in result.layers].count("excluded") == len(result.kept)
    assert any(str(step).startswith("equalized") for step in result.steps)
    heading, heads, *rows = repr(result).splitlines()
    assert heading == result.evaluation.sentences()[0]
    assert heads.split() == ["layer", "arithmetic", "snr", "cosine", "largest"]
    assert len(rows) == min(len(result.evaluation.layers) + len(result.evaluation.outputs), 11)
    outputs = result.evaluation.outputs
    output = max(outputs, key=lambda name: outputs[name].error)
    snr = f"{outputs[output].snr:.1f}"
    for text in (repr(result), str(result)):
        assert text.splitlines()[2].split()[:4] == ["output", f"'{output}'", snr, "dB"]
    assert len(str(result).splitlines()) == 2 + len(result.evaluation.layers) + len(outputs)
    without = replace(result, evaluation=None)
    assert "layers quantized" in repr(without).splitlines()[0]
    assert "<table" in without._repr_html_()  # pyright: ignore[reportPrivateUsage]


def test_the_worst_output_is_the_first_row(model: ncnn_opt.Model) -> None:
    """Then come the layers, the worst first, and the other outputs."""
    result = ncnn_opt.quantize(model, data(), quick=True, measure=True, jobs=1)
    assert result.evaluation is not None
    errors = {
        name: BlobError(signal=1.0, noise=x)
        for name, x in zip("abc", (0.01, 0.1, 0.001), strict=True)
    }
    several = replace(result, evaluation=replace(result.evaluation, outputs=errors))
    heads, *rows = several.table_rows()
    assert {len(row) for row in rows} == {len(heads)}
    labels = [row[0] for row in rows]
    assert (labels[0], labels[-2:]) == ("output 'b'", ["output 'a'", "output 'c'"])
    assert rows[0][1:3] == ("", "10.0 dB")
    worst = max(result.evaluation.layers, key=lambda x: x.difference.error if x.difference else -1)
    assert labels[1] == worst.layer.label
    none = replace(result, evaluation=replace(result.evaluation, outputs={}))
    assert [row[0] for row in none.table_rows()[1:]] == labels[1:-2]


def test_tables_are_saved(model: ncnn_opt.Model) -> None:
    args = ["model.param", "--data", "data.npy", "-j1", "--quick", "-o", "c.param"]
    ncnn_quantize_main.main([*args, "--output-table", "c.table"])
    result = ncnn_opt.quantize(model, data(), quick=True, jobs=1)
    result.table.save("own.table")
    assert Path("own.table").read_bytes() == Path("c.table").read_bytes()
    assert write_scale_table(result.table) == Path("c.table").read_bytes()
    ncnn_opt.save(model, "own.param")
    assert same_files("own", "c")
    assert result.evaluation is None
    assert model.remarks[-len(result.layers) :] == [record.remark for record in result.layers]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "max"}, "method must be one of best, mse, kl, .*, not 'max'"),
        ({"gptq": True, "quick": True}, "gptq and quick contradict each other"),
        ({"max_nsr": 0.1, "min_snr": 20.0}, "max_nsr and min_snr specify the same limit"),
        ({"holdout": 12}, "holdout is 12: there are 12 samples"),
        ({"classes": [1, 2]}, "there are 2 classes for 12 samples"),
        ({"keep": ["c9"]}, "there is no layer 'c9'"),
        ({"for_ncnn": "1"}, "1"),
        ({"min_snr": 300.0}, None),
    ],
)
def test_mistakes(options: Any, message: str | None, model: ncnn_opt.Model) -> None:
    before = str(model)
    if message is None:  # all layers in float have no error
        assert ncnn_opt.quantize(model, data(), quick=True, jobs=1, **options).kept
        return
    with pytest.raises(ncnn_opt.NcnnOptError, match=message):
        ncnn_opt.quantize(model, data(), jobs=1, **options)
    assert str(model) == before
